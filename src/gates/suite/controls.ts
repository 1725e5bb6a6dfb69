/** Negative controls: a run that must fail, so that a pass means something (verification 0.5). */
import { failed, listed, passed } from "../check.ts";
import type { Check } from "../verdict.ts";

export type Canary =
  /** The false assertions failed as they must. */
  | { readonly state: "held" }
  /** A false assertion passed beside these test files. */
  | { readonly state: "passed"; readonly files: readonly string[] }
  | { readonly state: "not measured"; readonly why: string };

export interface Controls {
  readonly canary: Canary;
  /** Changed lines that no test executed, in words. */
  readonly coverage: string;
}

export function checkControls({ canary }: Controls): Check {
  if (canary.state !== "passed") return passed("canary");
  return failed(
    "canary",
    `a false assertion passed after these tests ran, so their matchers are replaced: ${listed(canary.files)}`,
  );
}

/** What the record says of each control. */
export function controlWords({ canary, coverage }: Controls): Readonly<Record<string, string>> {
  const words = {
    held: "failed as it must",
    passed: "passed: matchers are replaced",
    "not measured": "not measured",
  };
  return { canary: words[canary.state], unexecuted_lines: coverage };
}
