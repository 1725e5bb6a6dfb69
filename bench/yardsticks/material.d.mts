/** Path -> text. */
export type Files = Readonly<Record<string, string>>;

export interface Case {
  readonly name: string;
  /** Files before the change, besides those that all cases share. */
  readonly base: Files;
  readonly tests: Files;
  /** Files that only `solved` sees. */
  readonly compared?: Files;
  /** Variant -> the files that it changes. */
  readonly heads: Readonly<Record<string, Files>>;
}

export interface Material {
  readonly title: string;
  /** For mettle.yaml. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly shared: Files;
  readonly cases: readonly Case[];
  /** Variant -> the right outcome. */
  readonly expected: Readonly<Record<string, "accepted" | "refused">>;
  /** Runs the tests of a case without Mettle: a wrong program that does not end is not expected to be judged. */
  readonly bare?: BareRun;
  /** The same with a given solution: it is left out if this ends with another code than 0. */
  readonly solved?: BareRun;
}

interface BareRun {
  readonly command: readonly string[];
  readonly seconds: number;
}

export interface Bug {
  readonly name: string;
  /** Commits. */
  readonly base: string;
  readonly heads: Readonly<Record<"fix" | "no fix", string>>;
}

/** Kinds of material by which `run.mjs` is called. */
export const kinds: readonly string[];

/** @returns the material of a folder; throws if it has another shape */
export function readMaterial(kind: string, folder: string): Material;

/** @returns the bugs of a BugsJS repository, by its tags; throws if it has none */
export function readBugs(folder: string): readonly Bug[];

/** @returns the mettle.yaml of a bug by its package.json; null if it needs none */
export function settingsOfBug(
  manifest: string,
  place: { readonly files: readonly string[]; readonly changed: readonly string[] },
): string | null;

/** @returns the arguments of mocha in a package's test script, or in these settings */
export function mochaArguments(manifest: string, settings: string | null): readonly string[];
