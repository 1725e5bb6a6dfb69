/**
 * Errors of types by which a new test does not load for want of the unit: a member, an export or a parameter that does not exist
 * yet, and what follows of it. Run without the check of types, such a test fails as one of JavaScript does.
 */
import type { TypeError } from "../../evidence/type-errors.ts";

/** No such member or property, another number or type of arguments, another type of value. */
const missing: ReadonlySet<number> = new Set([
  2322, 2339, 2345, 2353, 2551, 2554, 2555, 2558, 2559, 2561, 2576, 2740, 2741, 2769,
]);
/** A module has no such export; the module is named. */
const exported: ReadonlySet<number> = new Set([2305, 2614, 2724]);
/** What is unknown has no type, so its parts have none either. */
const following: ReadonlySet<number> = new Set([7006, 7031, 7053, 18046]);

/** Whether each of them may be for want of the unit. An export that a package lacks, or a name that does not exist, is the test's own mistake. */
export function wantsUnit(errors: readonly TypeError[]): boolean {
  const isOfProject = ({ message }: TypeError) =>
    /^Module '"\.{1,2}\/|"\.{1,2}\/[^"']*"'? has no /.test(message);
  const wants = (error: TypeError) =>
    missing.has(error.code) || (exported.has(error.code) && isOfProject(error));
  return errors.some(wants) && errors.every((error) => wants(error) || following.has(error.code));
}
