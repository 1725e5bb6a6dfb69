/**
 * The other surrounding (PRV-17, verification 7, 28 to 30): the required tests run a second time in another place, time zone
 * and order. A test that fails there and reads what differed proves nothing about the code.
 */
import { failed, passed, shortList } from "../check.ts";
import { acceptingInRun } from "../red/passing-tests.ts";
import type { Surround } from "../../source/surrounding-reads.ts";
import type { Surrounding } from "./surrounding-result.ts";
import type { Check, Finding } from "../verdict.ts";

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
    ({ id, what, read, passes = false }) =>
      `${id} ${passes ? "passes" : "fails"} with ${words[what]}, and ${read.path}:${read.line} reads \`${read.code}\``,
  );
  const reason = `environment_dependent: ${shortList(places, 3)}; give the code such values as arguments, set them in the test, or let a person accept the test: ${accepting}`;
  return [{ ...failed("surrounding", reason, ids), acceptable: true }];
}

export function surroundingFindings({ controls: { surrounding }, accepted = [] }: Facts): readonly Finding[] {
  if (surrounding.state !== "measured") return [];
  const { dependent, unstable } = surrounding;
  return [
    ...dependent.map(({ id, what, read, passes = false }): Finding => ({
      code: "environment_dependent",
      severity: accepted.includes(id) ? "finding" : "block",
      message: `${passes ? "passes" : "fails"} with ${words[what]}${accepted.includes(id) ? ", a person accepted this" : ""}: ${id}`,
      path: read.path,
      testId: id,
    })),
    ...unstable.map((testId): Finding => ({
      code: "flaky",
      severity: "finding",
      message: `gave another result in another surrounding: ${testId}`,
      testId,
    })),
  ];
}

/** The record's text. */
export function surroundingWords(surrounding: Surrounding): string {
  if (surrounding.state === "not measured") return `not measured (${surrounding.why})`;
  const { kinds, tests, dependent, unstable } = surrounding;
  const wrong = new Set([...dependent.map(({ id }) => id), ...unstable]).size;
  const result = wrong === 0 ? "the same results" : `${wrong} with another result`;
  return `${tests} with ${kinds.map((kind) => words[kind]).join(", ")}: ${result}`;
}

const words: Readonly<Record<Surround, string>> = {
  clock: "another date",
  zone: "another time zone",
  variables: "other environment variables",
  folder: "another folder",
  host: "another host name",
  user: "another user",
  workers: "another count of workers",
  stack: "another call stack",
  order: "another order of tests",
  files: "the files of an earlier run",
};
