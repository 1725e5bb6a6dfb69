import type { Case } from "./material.mjs";

interface Answer {
  readonly error?: { readonly code: string; readonly message: string };
  readonly checks?: readonly {
    readonly name: string;
    readonly verdict: "pass" | "fail" | "inconclusive";
    readonly reason: string;
    readonly tests: readonly string[];
    readonly places: readonly { readonly path: string }[];
  }[];
  readonly findings?: readonly { readonly code: string; readonly testId?: string }[];
}

export interface Attribution {
  readonly wrong: ReadonlyMap<string, readonly string[]>;
  readonly unclear: ReadonlyMap<string, readonly string[]>;
  readonly passing: readonly string[];
  readonly special: ReadonlySet<string>;
  readonly unnamed: readonly string[];
}

export function attribute(answer: Answer, cases: readonly Case[]): Attribution;
