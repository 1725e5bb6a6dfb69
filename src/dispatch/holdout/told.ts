/** What an implementer is told of the tests that it does not see: the criterion, and nothing else (PRV-16). */
import type { Check, Verdict } from "../../gates/verdict.ts";
import type { EvidenceRecord } from "../../evidence/record.ts";
import type { DispatchCommand } from "../../kernel/command.ts";
import type { EventOf } from "../../log/run-event.ts";
import { readRecord } from "../../run/blocks.ts";
import type { RunContext } from "../../run/context.ts";
import { TestNames } from "./test-name.ts";

type Judged = EventOf<"gate.judged">;

export interface Told {
  /** The text without names of withheld tests and their files. */
  text(text: string): string;
  /** The reasons and findings of a gate. */
  reasons(judged: Judged, verdict: Verdict): readonly string[];
  /** The tests that did not pass in a run, in place of the runner's output. */
  output(record: EvidenceRecord): string;
}

/** Null for an agent that sees all tests. */
export function toldOf({ session }: Pick<RunContext, "session">, { key }: DispatchCommand): Told | null {
  const { withheld, frozen } = session.view;
  const event = withheld[key];
  return event === undefined || event.tests.length === 0 ? null : toldBy(event, frozen?.required ?? []);
}

/** Gives a text as this agent may read it. */
export function readableBy(
  context: Pick<RunContext, "session">,
  command: DispatchCommand,
): (text: string) => string {
  const told = toldOf(context, command);
  return (text) => told?.text(text) ?? text;
}

/** A document as this agent may read it: the runner's output only as far as it is about tests that the agent sees. */
export async function toldDocument(
  context: RunContext,
  command: DispatchCommand,
  { name, ref }: { readonly name: string; readonly ref: string },
): Promise<string> {
  const told = toldOf(context, command);
  const key = context.session.view.documents[name]?.key ?? "";
  if (told !== null && name === "test-output") return toldOutput(context, told, key);
  return readableBy(context, command)(await context.payloads.text(ref));
}

/** The results of a gate's test run. @param key of the check */
export async function toldOutput(context: RunContext, told: Told, key: string): Promise<string> {
  const run = context.session.view.records.findLast(
    (one) => one.key === key && one.purpose.endsWith("tests"),
  );
  const record = run === undefined ? null : await readRecord(context, run.id);
  return record === null ? "" : told.output(record);
}

/** Checks whose reasons are about source: the names of tests in them are replaced. */
const ofSource: ReadonlySet<string> = new Set(["hard_coded", "surrounding", "executed_criteria"]);
/** Checks whose reasons are lists, each about its own tests. */
const ofLists: ReadonlySet<string> = new Set(["required", "regressions"]);

export function toldBy(
  { tests, gone, stated }: EventOf<"tests.withheld">,
  required: readonly string[],
): Told {
  const criteria = new Map(tests.map(({ id, criterion }) => [id, criterion]));
  const names = new TestNames([...required, ...criteria.keys()], stated);
  const text = (given: string): string =>
    gone.reduce(
      (rest, path) => rest.replaceAll(path, "a withheld test file"),
      names.replace(given, (ids) => {
        const own = new Set([...ids].map((id) => criteria.get(id)));
        return own.has(undefined) ? null : `a withheld test of ${[...own].join(" and ")}`;
      }),
    );
  const namesWithheld = (given: string) => text(given) !== given;
  const withheldOf = (ids: Iterable<string>) => {
    const own = new Set([...ids].flatMap((id) => criteria.get(id) ?? []));
    return own.size === 0 ? [] : [`withheld tests of ${[...own].join(", ")} do not pass`];
  };

  function reasonOf(check: Check, reason: string): string {
    const named = new Set([...check.tests, ...names.in(check.reason)]);
    const isConcerned = [...named].some((id) => criteria.has(id)) || namesWithheld(reason);
    if (!isConcerned || ofSource.has(check.name)) return text(reason);
    const visible = [...named].filter((id) => !criteria.has(id));
    const rest = ofLists.has(check.name)
      ? check.reason.split("; ").filter((part) => !namesWithheld(part) && names.in(part).size === 0)
      : [];
    const others = visible.length === 0 ? [] : [`visible tests do not pass: ${visible.join(", ")}`];
    return `${check.name}: ${[...withheldOf(named), ...others, ...rest].join("; ")}`;
  }

  return {
    text,
    reasons: (judged, { checks }) => {
      const failed = checks.filter(({ verdict }) => verdict !== "pass");
      const reasons = failed.map((check, at) => reasonOf(check, judged.reasons[at] ?? check.reason));
      return [...reasons, ...judged.findings.filter((finding) => !namesWithheld(finding))];
    },
    output: ({ tests: results }) => {
      const failed = results.filter(({ status }) => status === "failed" || status === "pending");
      const visible = failed.filter(({ id }) => !criteria.has(id));
      const lines = visible.map(({ id, message }) => `${id}\n${message.slice(0, maxMessage)}`);
      return [...lines, ...withheldOf(failed.map(({ id }) => id))].join("\n\n");
    },
  };
}

const maxMessage = 2000;
