/** The history before a dispatch of RIPER or DPTR that its role has to act on. */
import { withLabel } from "../../lib/with-label.ts";
import { findingsOf } from "../../gates/payloads/findings.ts";
import { RevisePayload } from "../../gates/payloads/critique.ts";
import type { DispatchCommand } from "../../kernel/command.ts";
import type { CommandEntry } from "../../log/commands.ts";
import type { RunView } from "../../log/run-view.ts";
import type { RunContext } from "../../run/context.ts";
import type { CycleVariables } from "./variable-names.ts";

export async function historyOf(context: RunContext, command: DispatchCommand): Promise<CycleVariables> {
  const { view } = context.session;
  const before = entriesBefore(view, command);
  return {
    feedback: await feedback(context, command, before),
    findings: await findings(context, command, before),
    test_issue: testIssue(command, before),
    failed: command.mode === "Ω₆ⱽ" ? failedText(view) : "",
  };
}

type Entries = readonly (CommandEntry & { readonly key: string })[];

function entriesBefore(view: RunView, command: DispatchCommand): Entries {
  return view.order.slice(0, view.order.indexOf(command.key)).flatMap((key) => {
    const entry = view.commands[key];
    return entry === undefined ? [] : [{ ...entry, key }];
  });
}

/** The feedback on the design or plan that this mode has to revise or judge again. */
async function feedback(context: RunContext, command: DispatchCommand, before: Entries): Promise<string> {
  const judges = judgesOf[command.mode ?? ""] ?? [];
  const last = before.findLast(
    ({ command: { mode, type } }) => type === "dispatch" && judges.includes(mode ?? ""),
  );
  const report = await reportOf(context, last);
  if (report === null) return "";
  switch (last?.result?.outcome) {
    case "REVISE": {
      // Only the critic's issues (TDP-12).
      const { issues } = RevisePayload.parse(report.payload);
      return issues.map(({ problem, suggestion }) => `- ${problem}\n  Suggestion: ${suggestion}`).join("\n");
    }
    case "NR":
    case "NEEDS_CHANGE":
      return findingsOf(report)
        .map((text) => `- ${text}`)
        .join("\n");
    case "DG":
      return report.message;
    default:
      return "";
  }
}

/** Mode -> the modes that give it feedback. */
const judgesOf: Readonly<Record<string, readonly string[]>> = {
  "Ω₁ᴾ": ["Ω₂ᴬ"],
  "Ω₃ᴾ": ["Ω₄ᶜ", "Ω₆ⱽ"],
  "Ω₄ᶜ": ["Ω₃ᴾ"],
};

/** Why the last pass of the refactor loop did not converge (TDP-23). */
async function findings(context: RunContext, command: DispatchCommand, before: Entries): Promise<string> {
  if (command.phase !== "ℜᶠᵗ" && command.phase !== "ℜᶠⁱ") return "";
  const own = before.filter(({ command: { frame } }) => frame === command.frame);
  const starts = own.flatMap(({ command: { phase } }, index) => (phase === "ℜᶠᵗ" ? [index] : []));
  const end = command.phase === "ℜᶠᵗ" ? own.length : starts.at(-1);
  const start = command.phase === "ℜᶠᵗ" ? starts.at(-1) : starts.at(-2);
  if (start === undefined || end === undefined) return "";
  const lines = await Promise.all(own.slice(start, end).map((entry) => findingsIn(context, entry)));
  return lines.flat().join("\n");
}

async function findingsIn(context: RunContext, entry: Entries[number]): Promise<readonly string[]> {
  const { command, result, key } = entry;
  if (result?.outcome === "NEEDS_CHANGE") {
    const report = await reportOf(context, entry);
    const reviewer = context.protocol.roles[command.type === "dispatch" ? command.role : ""]?.label ?? "";
    return findingsOf(report ?? { message: "" }).map((text) => `- ${reviewer}: ${text}`);
  }
  if (command.type !== "check" || result?.outcome.startsWith("fail") !== true) return [];
  const judged = context.session.view.judged.findLast((other) => other.key === key);
  return (judged?.reasons ?? []).map((reason) => `- ${command.gate}: ${reason}`);
}

/** For QA the claim of DE about a test, for DE the answer; a person's decision includes both (TDP-21, TDP-59). */
function testIssue(command: DispatchCommand, before: Entries): string {
  const own = before.filter(({ command: { frame } }) => frame === command.frame);
  const claim = own.findLastIndex(({ result }) => result?.outcome === "TI");
  if (claim === -1) return "";
  const statements = own.slice(claim).flatMap(({ result }) => {
    const text = result?.text ?? "";
    switch (result?.outcome) {
      case "TI":
        return [text];
      case "TA":
        return [`QA adjusted the test${text === "" ? "." : `: ${text}`}`];
      case "RC":
        return [`QA says that the test is right${text === "" ? "." : `: ${text}`}`];
      case "test-wrong":
        return [`A person decided: the test is wrong${text === "" ? "." : `: ${text}`}`];
      case "test-right":
        return [`A person decided: the test is right${text === "" ? "." : `: ${text}`}`];
      default:
        return [];
    }
  });
  const concerned = command.reports.includes("TA") || command.phase === "ℜᴳ";
  return concerned ? statements.join("\n") : "";
}

function failedText({ cyclesFailed, cyclesDone }: RunView): string {
  const failure = cyclesFailed.at(-1);
  if (failure === undefined || (cyclesDone.at(-1)?.seq ?? 0) > failure.seq) return "";
  const { cycle, phase, what, why, failing } = failure;
  return [
    `Cycle ${cycle} failed in ${phase}: ${withLabel(what, why)}`,
    ...failing.map((id) => `- ${id}`),
  ].join("\n");
}

/** The report that ended a dispatch. */
export async function reportOf(
  { payloads }: Pick<RunContext, "payloads">,
  entry: CommandEntry | undefined,
): Promise<{ readonly message: string; readonly payload: unknown } | null> {
  const ref = entry?.result?.payload ?? null;
  if (ref === null) return null;
  const read: unknown = JSON.parse(await payloads.text(ref));
  if (read === null || typeof read !== "object" || !("message" in read)) return null;
  return { message: String(read.message), payload: "payload" in read ? read.payload : null };
}
