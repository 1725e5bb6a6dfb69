/** Builds the confined call of an agent's program, with everything visible that the program needs to start. */
import { realpath, stat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import {
  confinedCall,
  isAtOrBelow,
  isBelow,
  type ProgramCall,
  type Rule,
} from "../process/sandbox/confinement.ts";
import { programOn, rulesToShow } from "../process/sandbox/places.ts";
import type { ProgramOptions, Program } from "./program-options.ts";

/** Returns the program unchanged if it is not confined. */
export async function confine(program: Program, { cwd, confinement }: ProgramOptions): Promise<ProgramCall> {
  if (confinement === undefined) return program;
  const { hidden, rules } = confinement;
  const { file, argv, env, login = null, starts = [] } = program;
  const on = { path: env["PATH"] ?? "", hidden };
  const [second] = starts;
  const own = await Promise.all([
    programOn(file, on),
    second === undefined ? [] : programOn(second, on),
    // The agent renews its login there.
    login === null ? [] : rulesToShow(login, "writable", hidden),
    // Files named by variables must be visible too: certificates, credentials.
    ...[...argv, ...starts.slice(1), ...Object.values(env)].map((word) =>
      rulesForPath(word, { hidden, rules }),
    ),
  ]);
  // Rules for named files come after the closed ones, and so override them.
  const ordered = [...rules.filter(isClosed), ...own.flat(), ...rules.filter((rule) => !isClosed(rule))];
  return confinedCall({ ...confinement, rules: ordered }, program, await realpath(cwd));
}

function isClosed({ type }: Rule): boolean {
  return type === "closed";
}

/** Shows a file that an argument or a variable names; files in a writable folder are visible already. */
async function rulesForPath(
  word: string,
  { hidden, rules }: { readonly hidden: readonly string[]; readonly rules: readonly Rule[] },
): Promise<readonly Rule[]> {
  if (!isAbsolute(word)) return [];
  if (rules.some((rule) => isClosed(rule) && rule.at === word)) return [{ type: "readable", at: word }];
  if (!hidden.some((place) => isBelow(word, place))) return [];
  const real = await realpath(word).catch(() => null); // not a path
  if (real === null || !(await stat(real)).isFile()) return [];
  const isThere = rules.some(({ type, at }) => type === "writable" && isAtOrBelow(real, at));
  return isThere ? [] : rulesToShow(word, "readable", hidden);
}
