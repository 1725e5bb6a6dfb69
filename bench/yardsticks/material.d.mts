/** Path -> text. */
export type Files = Readonly<Record<string, string>>;

export interface Case {
  readonly name: string;
  /** Files before the change, besides those that all cases share. */
  readonly base: Files;
  readonly tests: Files;
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
  /** A command that runs the tests of a case without Mettle, and how long it may take. */
  readonly bare?: { readonly command: readonly string[]; readonly seconds: number };
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
