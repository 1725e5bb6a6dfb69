/** Remembers results of mutants by the content of the source file and of all tests: an unchanged module is not run again. */
import * as z from "zod";
import { canonicalJson, sha256 } from "../../lib/hash.ts";
import { parseJson } from "../../lib/json.ts";
import type { SourceLines } from "../../source/mutants/mutant.ts";
import type { Hashes } from "../../gates/suite/frozen.ts";
import { isConfined } from "../execute/start-program.ts";
import type { ProofSetting } from "../proof-package.ts";

/** A mutant as its lister names it. */
export const ListedMutant = z.object({
  path: z.string(),
  line: z.number(),
  start: z.number(),
  end: z.number(),
  by: z.string(),
  operator: z.string(),
});

export const KnownMutant = ListedMutant.extend({
  was: z.string(),
  /** Null: not tried yet. */
  state: z.enum(["killed", "survived", "unexecuted"]).nullable(),
});
export type KnownMutant = z.infer<typeof KnownMutant>;

export const KnownFile = z.object({
  mutants: z.array(KnownMutant),
  /** Ids of required tests that execute a changed line; null: unknown. */
  executedBy: z.array(z.string()).nullable(),
});
export type KnownFile = z.infer<typeof KnownFile>;

export interface KnownRequest {
  readonly setting: ProofSetting;
  readonly source: SourceLines;
  /** Hashes of tests, fixtures and configurations. */
  readonly protected: Hashes;
  readonly required: readonly string[];
}

export async function knownKey({ setting, source, required, ...given }: KnownRequest): Promise<string> {
  const { ports, packages } = setting;
  return canonicalJson({
    mutation: 1,
    path: source.path,
    text: sha256(source.text),
    lines: source.lines,
    tests: sha256(canonicalJson(given.protected)),
    required: sha256(canonicalJson(required)),
    runners: packages.map(({ prefix, found: { name, version }, setup }) => ({
      prefix,
      name,
      version,
      setup,
    })),
    settings: ports.tests ?? null,
    node: process.version,
    arch: process.platform,
    ...((await isConfined(ports)) ? { isConfined: true } : {}),
  });
}

export async function knownFile({ cache, ports }: ProofSetting, key: string): Promise<KnownFile | null> {
  const text = await (ports.results ?? cache).get(key);
  const parsed = text === null ? null : KnownFile.safeParse(parseJson(text));
  return parsed?.success === true ? parsed.data : null; // written by an older version: run again
}

export function remember({ cache, ports }: ProofSetting, key: string, known: KnownFile): Promise<void> {
  return (ports.results ?? cache).put(key, canonicalJson(known));
}

export function isComplete({ mutants }: KnownFile): boolean {
  return mutants.every(({ state }) => state !== null);
}
