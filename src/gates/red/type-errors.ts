/**
 * TypeScript errors that stop a new test from loading because the unit is incomplete: a missing member, export or parameter,
 * and errors that follow from it. Without type checking such a test fails as in JavaScript.
 */
import type { TypeError } from "../../evidence/type-errors.ts";

/** Missing members or properties, wrong number or type of arguments, wrong type of a value. */
const missing: ReadonlySet<number> = new Set([
  2322, 2339, 2345, 2353, 2551, 2554, 2555, 2558, 2559, 2561, 2576, 2740, 2741, 2769,
]);
/** A missing export of a named module. */
const exported: ReadonlySet<number> = new Set([2305, 2614, 2724]);
/** Errors that follow from an unknown type. */
const following: ReadonlySet<number> = new Set([7006, 7031, 7053, 18046]);

/**
 * Whether the missing unit can explain every error. A missing export of a package or an undefined name is a mistake of the
 * test.
 */
export function wantsUnit(errors: readonly TypeError[]): boolean {
  const isOfProject = ({ message }: TypeError) =>
    /^Module '"\.{1,2}\/|"\.{1,2}\/[^"']*"'? has no /.test(message);
  const isMissing = (error: TypeError) =>
    missing.has(error.code) || (exported.has(error.code) && isOfProject(error));
  return errors.some(isMissing) && errors.every((error) => isMissing(error) || following.has(error.code));
}
