/**
 * The other surrounding (PRV-17, verification 7, 28 to 30): the required tests run a second time in another place, time zone
 * and order. A test that fails there and reads what differed proves nothing about the code.
 */
import { failed, passed, shortList } from "../check.ts";
import { acceptingInRun } from "../red/passing-tests.ts";
import type { Surround, SurroundingRead } from "../../source/surrounding-reads.ts";
import type { Check, Finding } from "../verdict.ts";

export interface ChangedRead extends SurroundingRead {
  readonly path: string;
}

/** A required test that fails whenever `what` differs, and code of the change that reads it. */
export interface DependentTest {
  readonly id: string;
  readonly what: Surround;
  readonly read: ChangedRead;
}

export type Surrounding =
  | {
      readonly state: "measured";
      /** What differed. */
      readonly kinds: readonly Surround[];
      readonly tests: number;
      readonly dependent: readonly DependentTest[];
      /** Required tests that failed there for a reason that the change does not read. */
      readonly unstable: readonly string[];
    }
  | { readonly state: "not measured"; readonly why: string };

interface Facts {
  readonly controls: { readonly surrounding: Surrounding };
  /** Ids that a person accepted. */
  readonly accepted?: readonly string[] | undefined;
  readonly accepting?: string | undefined;
}

export function surroundingChecks({
  controls: { surrounding },
  accepted = [],
  accepting = acceptingInRun,
}: Facts): readonly Check[] {
  if (surrounding.state !== "measured") return [];
  const dependent = surrounding.dependent.filter(({ id }) => !accepted.includes(id));
  if (dependent.length === 0) return [passed("surrounding")];
  const ids = [...new Set(dependent.map(({ id }) => id))];
  const places = dependent.map(
    ({ id, what, read }) =>
      `${id} fails with ${words[what]}, and ${read.path}:${read.line} reads \`${read.code}\``,
  );
  const reason = `environment_dependent: ${shortList(places, 3)}; give the code such values as arguments, set them in the test, or let a person accept the test: ${accepting}`;
  return [{ ...failed("surrounding", reason, ids), acceptable: true }];
}

export function surroundingFindings({ controls: { surrounding }, accepted = [] }: Facts): readonly Finding[] {
  if (surrounding.state !== "measured") return [];
  const { dependent, unstable } = surrounding;
  return [
    ...dependent.map(({ id, what, read }): Finding => ({
      code: "environment_dependent",
      severity: accepted.includes(id) ? "finding" : "block",
      message: `fails with ${words[what]}${accepted.includes(id) ? ", a person accepted this" : ""}: ${id}`,
      path: read.path,
      testId: id,
    })),
    ...unstable.map((testId): Finding => ({
      code: "flaky",
      severity: "finding",
      message: `passed once and failed in another surrounding: ${testId}`,
      testId,
    })),
  ];
}

/** The record's text. */
export function surroundingWords(surrounding: Surrounding): string {
  if (surrounding.state === "not measured") return `not measured (${surrounding.why})`;
  const { kinds, tests, dependent, unstable } = surrounding;
  const wrong = new Set([...dependent.map(({ id }) => id), ...unstable]).size;
  const result = wrong === 0 ? "all passed" : `${wrong} failed`;
  return `${tests} with ${kinds.map((kind) => words[kind]).join(", ")}: ${result}`;
}

const words: Readonly<Record<Surround, string>> = {
  clock: "another date",
  zone: "another time zone",
  variables: "other environment variables",
  folder: "another folder",
  stack: "another call stack",
  order: "another order of tests",
};
