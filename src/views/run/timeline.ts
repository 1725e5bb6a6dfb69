/** Renders a run's journal for people, one line per relevant event. Pure. */
import { refusedText } from "../gate/warnings.ts";
import { counted } from "../../lib/counted.ts";
import { withLabel } from "../../lib/with-label.ts";
import type { Command } from "../../kernel/command.ts";
import { byText } from "../../log/by-text.ts";
import type { EventOf, Recorded } from "../../log/run-event.ts";
import { assertNever } from "../../lib/assert-never.ts";
import { graphRenderer } from "../tree/graph-timeline.ts";
import { singleLineNames } from "./single-line-event.ts";
import { reasonLines } from "../gate/reason-lines.ts";
import { safeText } from "../../lib/safe-text.ts";
import { shortCommit } from "../../lib/short-commit.ts";
import { pausedText } from "./limit-text.ts";
import { firstLine } from "../../lib/text.ts";

export interface TimelineLine {
  readonly seq: number;
  readonly at: string;
  readonly text: string;
}

export function timeline(events: readonly Recorded[]): readonly TimelineLine[] {
  const renderEvent = timelineRenderer();
  return events.flatMap((event) => {
    const text = renderEvent(event);
    return text === null ? [] : [{ seq: event.seq, at: event.at, text }];
  });
}

/** Renders events one by one, in order. A check is shown only by its verdict, with the reasons against it. */
export function timelineRenderer(): (event: Recorded) => string | null {
  const checks = new Set<string>();
  const graph = graphRenderer();
  return (recorded) => {
    const event = singleLineNames(recorded);
    const ofGraph = graph(event);
    if (ofGraph !== undefined) return ofGraph;
    if (event.type === "command.issued" && isCheck(event.command)) {
      checks.add(event.key);
      return null;
    }
    if (event.type === "result" && checks.has(event.key)) return null;
    if (event.type !== "gate.judged") return describe(event);
    return [`gate ${event.gate}: ${event.verdict}`, ...reasonLines(event.reasons)].join("\n");
  };
}

function isCheck(command: unknown): boolean {
  // The journal contains the kernel's commands unchanged.
  return (command as Command).type === "check";
}

/** Times in UTC. */
export function timelineText(lines: readonly TimelineLine[]): string {
  return lines
    .map(
      ({ at, text }) =>
        `${at.slice(0, 19).replace("T", " ")}Z  ${text.replaceAll("\n", `\n${" ".repeat(22)}`)}`,
    )
    .join("\n");
}

/** One event as text, or null if it adds no information. */
export function describe(event: Recorded): string | null {
  return render(singleLineNames(event));
}

function render(event: Recorded): string | null {
  switch (event.type) {
    case "run.started":
      return `started ${event.protocol}: ${safeText(event.task)} (from ${shortCommit(event.base)})`;
    case "base.proved":
      return baseText(event);
    case "base.accepted":
      return `${counted(event.count, "failing test")} of the base commit accepted by ${byText(event.by)}`;
    case "tests.accepted":
      return `tests accepted by ${byText(event.by)}: ${event.tests.join(", ")}${event.reason === undefined ? "" : `: ${event.reason}`}`;
    case "command.issued":
      return issuedText(event.command as Command, event.line);
    case "result":
      return resultText(event);
    case "result.ignored":
      return withLabel(`ignored ${event.outcome} for ${event.key}`, event.why);
    case "run.aborted":
      return withLabel(event.by === undefined ? "aborted" : `aborted by ${byText(event.by)}`, event.reason);
    case "run.paused":
      return `paused by ${byText(event.by)}`;
    case "run.resumed":
      return withLabel(`resumed by ${byText(event.by)}`, event.text ?? "");
    case "run.ended":
      return withLabel(`ended ${event.outcome}`, event.reason);
    case "worker.died":
      return `${event.key}: worker ${event.worker} died; another goes on`;
    case "settings.changed":
      return `settings changed: ${event.what}`;
    case "dispatch.started":
      return `${event.key}: agent ${event.agent} (${event.vendor}), isolation ${event.isolation}`;
    case "account.paused":
      return pausedText(event);
    case "agent.nudged":
      return `${event.key}: reminded to decide`;
    case "agent.denied":
      return `${event.key}: its own rules denied ${event.tool}`;
    case "network.refused":
      return `${event.key}: not reachable from the sandbox: ${refusedText(event)}`;
    case "report.refused":
      return withLabel(`${event.key}: report refused`, event.why);
    case "claim.unverified":
      return `${event.key}: UNVERIFIED claim "${event.phrase}", retracted`;
    case "forged.block":
      return `${event.key}: forged_block: an EXECUTION_BLOCK was typed for \`${event.command}\``;
    case "outside.write":
      return event.place === "checkout"
        ? `changed in the main checkout, no part of the run: ${event.paths.join(", ")}`
        : `${event.key}: outside_write in ${event.place}: ${event.paths.join(", ")}`;
    case "files.left_out":
      return `${event.key}: in no commit: ${event.files.map(({ path, why }) => `${path} (${why})`).join(", ")}`;
    case "document.written":
      return `${event.name} written by ${event.by}`;
    case "questions.asked":
      return `${counted(event.questions.length, "question")} asked`;
    case "question.answered":
      return `${event.id} answered by ${byText(event.by)}`;
    case "review.given":
      return `gate ${event.gate}: ${event.label} ${verdictText(event.verdict)}${event.reason === "" ? "" : ` (${event.reason})`}`;
    case "commit.made":
      return `${event.kind.toUpperCase()} commit ${shortCommit(event.commit)}: ${event.paths.join(", ") || "no file changed"}`;
    case "head.moved":
      return `the run's branch is at ${shortCommit(event.commit)} (${event.kind})`;
    case "files.frozen":
      return `${counted(Object.keys(event.files).length, "file")} frozen, ${counted(event.required.length, "test")} required`;
    case "tests.withheld":
      return `${event.key}: ${counted(event.tests.length, "test")} withheld from its agent`;
    case "work.rescued":
      return `refused or unfinished work is kept at ${event.ref}`;
    case "record.written":
      return `record ${event.id}: ${event.purpose} ${event.verdict}, EXIT_CODE ${event.exitCode ?? "none"}`;
    case "gate.judged":
      return `gate ${event.gate}: ${event.verdict}`;
    case "phase.completed":
      return `phase ${event.phase} complete, proven by record ${event.record}`;
    case "breaker.tripped":
      return `breaker: ${event.trigger} (${event.attempts}/${event.max})`;
    case "notified":
      return event.ok ? null : `a notification failed: ${event.why}`;
    case "warned":
      return event.stopped === undefined ? `warning ${event.code}: ${event.message}` : event.message;
    case "signal":
      return withLabel(event.event, event.why);
    case "session.opened":
      return `session ${event.session} opened`;
    case "session.closed":
      return `session ${event.session} closed`;
    case "observed":
      return withLabel(`OBS[S${event.session},R${event.round},A:${event.agent}]`, firstLine(event.excerpt));
    case "handed.over":
      return withLabel(`handed over from ${event.from} to ${event.to}`, firstLine(event.summary));
    case "cycle.completed":
      return `cycle ${event.cycle} complete at ${shortCommit(event.commit)}, proven by record ${event.record}`;
    case "cycle.failed":
      return `cycle ${event.cycle} failed in ${event.phase}: ${withLabel(event.what, firstLine(event.why))}`;
    case "landed":
      return `landed on ${event.onto}: ${shortCommit(event.commit)}`;
    case "plan.gate_opened":
      return `${event.gate} waits for a person: ${event.file}`;
    case "node.began":
    case "node.moved":
    case "node.accepted":
    case "node.tested":
    case "node.locked":
    case "node.candidate":
    case "node.merged":
    case "node.remembered":
    case "node.respecified":
    case "node.kept":
    case "node.request_begun":
    case "node.request_ended":
    case "node.aborted":
      // graph-timeline.ts renders these with their node.
      return null;
    case "ask.shown":
    case "agent.said":
    case "agent.used":
    case "findings.tracked":
    case "record.reserved":
      return null;
    default:
      return assertNever(event);
  }
}

function baseText({ tests, count }: EventOf<"base.proved">): string {
  if (tests === 0) return "the base commit holds no test yet";
  return `the base commit's own tests: ${tests - count} of ${tests} pass`;
}

function verdictText(verdict: EventOf<"review.given">["verdict"]): string {
  return verdict === "empty" ? "gave no review" : `says ${verdict}`;
}

/** Leaves out the text of `inconclusive`: a warning before has it. */
function resultText({ key, outcome, by, text }: EventOf<"result">): string {
  const who = by ? ` by ${byText(by)}` : "";
  const why = text && outcome !== "inconclusive" ? `: ${firstLine(text)}` : "";
  return `${key} -> ${outcome}${who}${why}`;
}

function issuedText(command: Command, line?: string): string | null {
  switch (command.type) {
    case "ask":
      return waitText(command.text);
    case "dispatch":
      return line ?? `${command.key}: ${command.role} works${command.phase ? ` (${command.phase})` : ""}`;
    case "check":
      return `${command.key}: gate ${command.gate} runs`;
    case "cancel":
      return `${command.target} withdrawn`;
    case "merge":
    case "rebase":
    case "timer":
      return `${command.key}: ${command.type}`;
    case "spawn":
    case "finish":
      return null;
    default:
      return assertNever(command);
  }
}

/** Some texts already start with "waiting for": "WAITING FOR CODE APPROVAL". */
function waitText(text: string): string {
  return /^waiting for /iu.test(text) ? text : `waits for a person: ${text}`;
}
