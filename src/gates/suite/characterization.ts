/** Judges tests of existing behaviour by the faults that they notice (PRV-11). Pure. */
import { counted } from "../../lib/counted.ts";
import { failed, passed, shortList, unclear } from "../check.ts";
import type { Check } from "../verdict.ts";

export interface NoticedMutant {
  readonly path: string;
  readonly line: number;
  readonly by: string;
}

export type Characterization =
  | {
      readonly state: "measured";
      /** Test id -> a mutant by which it failed. */
      readonly noticed: ReadonlyMap<string, NoticedMutant>;
      /** Tests that noticed none of the mutants that they execute, and how many those were. */
      readonly powerless: readonly { readonly id: string; readonly tried: number }[];
      /** Tests for which the time was too short. */
      readonly open: readonly string[];
      readonly budgetMs: number;
    }
  | { readonly state: "not measured"; readonly why: string };

/** What came of the tests of existing behaviour, counted apart from those that fail without the change. */
export interface Characterized {
  readonly proved: readonly string[];
  readonly unproved: readonly string[];
}

export function checkCharacterized(found: Characterization, tests: readonly string[]): Check {
  const name = "characterized";
  if (found.state === "not measured") return unclear(name, `not measured: ${found.why}`);
  const { powerless, open, budgetMs } = found;
  if (powerless.length > 0) {
    const words = powerless.map(({ id, tried }) =>
      tried === 0
        ? `${id} executes no code that can be mutated`
        : `${id} notices none of ${counted(tried, "fault")}`,
    );
    return failed(
      name,
      `${counted(powerless.length, "test")} of existing behaviour would notice no fault: ${shortList(words, 4)}; a test that compares what the code returns is accepted`,
      powerless.map(({ id }) => id),
    );
  }
  if (open.length > 0)
    return unclear(
      name,
      `not measured in ${budgetMs / 1000} s: ${shortList(open, 4)}; raise \`proof.mutation.budget\` in mettle.yaml`,
    );
  return passed(name, tests);
}

export function characterized(found: Characterization, tests: readonly string[]): Characterized {
  const proved = tests.filter((id) => found.state === "measured" && found.noticed.has(id));
  return { proved, unproved: tests.filter((id) => !proved.includes(id)) };
}

/** The record's text. */
export function characterizedWords(found: Characterization, tests: readonly string[]): string {
  if (found.state === "not measured") return `not measured (${found.why})`;
  const places = [...found.noticed].map(([id, { path, line, by }]) => `${id} by ${path}:${line} \`${by}\``);
  const [count, verb] = [found.noticed.size, found.noticed.size === 1 ? "notices" : "notice"];
  return `${count} of ${counted(tests.length, "test")} of existing behaviour ${verb} a mutant: ${shortList(places, 20)}`;
}
