/** What a run of tests sees differently than other runs: variables, time zone, clock, machine and call stack (PRV-17). */
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { asset } from "../../evidence/runners/assets.ts";
import type { Surround } from "../../source/surrounding-reads.ts";

export interface Differences {
  readonly kinds: ReadonlySet<Surround>;
  /** Absolute paths that the tests' programs load for them. */
  readonly reads: readonly string[];
}

const forNode = asset("elsewhere.mjs");
const forPython = asset("mettle_elsewhere.py");

export const noDifferences: Differences = { kinds: new Set(), reads: [] };

export function differencesOf(kinds: Iterable<Surround>): Differences {
  return { kinds: new Set(kinds), reads: [forNode] };
}

/**
 * A zone far from UTC with a part of an hour; no sign of a CI machine.
 * @param kept a folder that all runs of the checkout share: for `files`, they find there what an earlier one left
 */
export function variablesWith(
  { kinds }: Differences,
  env: Readonly<Record<string, string>>,
  kept: string,
): Readonly<Record<string, string>> {
  const { CI: _ci, ...others } = env;
  return {
    ...(kinds.has("variables") ? others : env),
    ...(kinds.has("zone") ? { TZ: "Pacific/Chatham" } : {}),
    ...(kinds.has("host") ? { HOSTNAME: "build-7" } : {}),
    ...(kinds.has("user") ? { USER: "mira", LOGNAME: "mira" } : {}),
    ...(kinds.has("workers") ? { VITEST_MAX_WORKERS: "1" } : {}),
    ...(kinds.has("files") ? { HOME: kept, TMPDIR: kept } : {}),
  };
}

const loadedInNode = ["clock", "variables", "host", "user", "workers", "stack"] as const;
const loadedInPython = ["clock", "variables", "host", "user", "workers"] as const;

/** @param given the variables that the project sets */
export function nodeOptionsWith(
  { kinds }: Differences,
  given: Readonly<Record<string, string>>,
): { readonly NODE_OPTIONS?: string } {
  const asked = loadedInNode.filter((kind) => kinds.has(kind));
  if (asked.length === 0) return {};
  const preload = pathToFileURL(forNode);
  preload.search = asked.join("&");
  return { NODE_OPTIONS: [given["NODE_OPTIONS"], `--import=${preload.href}`].filter(Boolean).join(" ") };
}

/** Text for the end of Python's `sitecustomize`. */
export async function pythonWith({ kinds }: Differences): Promise<string> {
  const asked = loadedInPython.filter((kind) => kinds.has(kind));
  if (asked.length === 0) return "";
  const text = await readFile(forPython, "utf8");
  return `\n${text.replace(/^KINDS = \[\]/mu, () => `KINDS = ${JSON.stringify(asked)}`)}`;
}
