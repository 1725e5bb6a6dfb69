/** The answer of a gate on one screen: what is proved, what is not, and what to do. */
import { titleOf } from "../change/check-titles.ts";
import { shortReason } from "../change/short-reason.ts";
import { notesOf } from "../change/notes.ts";
import { counted } from "../lib/counted.ts";
import type { AppError } from "../lib/errors.ts";
import type { GateAnswer } from "../change/answer.ts";
import { safeLine } from "../lib/safe-text.ts";
import { shortCommit } from "../lib/short-commit.ts";
import { paragraph, wrapText } from "../lib/wrap-text.ts";

interface GateTextOptions {
  /** Width of the terminal. */
  readonly columns: number;
  /** The error of the environment, if the change could not be judged. */
  readonly fault: AppError | null;
}

export function gateText(answer: GateAnswer, { columns, fault }: GateTextOptions): string {
  const width = Math.max(40, Math.min(columns, 100));
  const wrong = withoutRepeats(answer.checks.filter((check) => check.verdict === "fail"));
  const unclear = answer.checks.filter((check) => check.verdict === "inconclusive");
  const doubts = wrong.length > 0 ? unclear.filter(({ name }) => !name.endsWith("required")) : unclear;
  const part = (mark: string, check: GateAnswer["checks"][number]) => [
    `  ${mark} ${titleOf(check.name)}`,
    ...reasonLines(check, width),
  ];
  const notes = notesOf(answer);
  return [
    wrapText(headline(answer), width - 2).join("\n  "),
    `  ${shortCommit(answer.base)} → ${shortCommit(answer.head)}${answer.red === null ? "" : `, RED ${shortCommit(answer.red)}`}${answer.runner === null ? "" : `, ${answer.runner}`}`,
    ...keptLines(answer, width),
    ...provenLines(answer, width),
    ...section(
      "What is wrong",
      wrong.flatMap((check) => part("✗", check)),
    ),
    ...section(
      "What could not be judged",
      doubts.flatMap((check) => part("?", check)),
    ),
    ...(fault === null ? [] : paragraph(`→ ${safeLine(fault.hint)}`, { width, indent: 4, lines: maxLines })),
    ...section(
      "To look at",
      notes.slice(0, maxNotes).flatMap((note) => bullet(safeLine(note), width)),
    ),
    ...(notes.length > maxNotes ? [`  and ${notes.length - maxNotes} more: --json`] : []),
  ].join("\n");
}

/** Names fewer of the tests where the reason does not fit. */
function reasonLines({ reason, tests }: GateAnswer["checks"][number], width: number): readonly string[] {
  const texts = [reason, ...[2, 1].map((most) => shortReason(reason, tests, most))];
  const room = { width, indent: 4, lines: maxLines };
  const fits = (text: string) => wrapText(safeLine(text), width - 4).length <= maxLines;
  return paragraph(safeLine(texts.find(fits) ?? texts.at(-1) ?? reason), room);
}

const maxLines = 6;
const maxNotes = 6;
const maxTests = 5;

function headline({ gate, verdict, nothing_to_prove: isEmpty, required, characterized }: GateAnswer): string {
  const what = gate === "prove" ? "" : `gate ${gate}: `;
  if (isEmpty === true && verdict === "pass")
    return "✓ nothing to prove: no program and no test changed, and the suite passes as before";
  if (gate !== "prove")
    return { pass: `✓ ${what}pass`, fail: `✗ ${what}fail`, inconclusive: `? ${what}inconclusive` }[verdict];
  return {
    pass: `✓ proved: ${[...failWithout(required.length), ...noticeFaults(characterized?.proved.length ?? 0)].join("; ")}`,
    fail: "✗ not proved",
    inconclusive: "? inconclusive: something could not be judged",
  }[verdict];
}

/** The answer was found, not executed now. */
function keptLines({ is_kept: isKept, ended }: GateAnswer, width: number): readonly string[] {
  if (isKept !== true) return [];
  const when = `${ended.slice(0, 10)} ${ended.slice(11, 16)} UTC`;
  const text = `executed at ${when}, and nothing changed since; --again executes it again`;
  return paragraph(text, { width, indent: 2, lines: 2 });
}

function failWithout(count: number): readonly string[] {
  if (count === 0) return [];
  return [
    `${counted(count, "test fails", "tests fail")} without the change and ${count === 1 ? "passes" : "pass"} with it`,
  ];
}

function noticeFaults(count: number): readonly string[] {
  return count === 0
    ? []
    : [`${counted(count, "test")} of existing behaviour would notice faults of the code`];
}

function provenLines(
  { gate, verdict, required, characterized, nothing_to_prove: isEmpty }: GateAnswer,
  width: number,
): readonly string[] {
  if (verdict !== "pass" || isEmpty === true) return [];
  const what = gate === "prove" || gate === "red" ? "Tests of the change" : "Tests that had to pass";
  const listed = (title: string, ids: readonly string[]) =>
    ids.length === 0
      ? []
      : section(`${title} (${ids.length})`, [
          ...ids.slice(0, maxTests).map((id) => cut(`  ${safeLine(id)}`, width)),
          ...(ids.length > maxTests ? [`  and ${ids.length - maxTests} more`] : []),
        ]);
  return [...listed(what, required), ...listed("Tests of existing behaviour", characterized?.proved ?? [])];
}

/** Check -> checks that report the same tests better: several checks miss a lost test. */
const reportedBy: Readonly<Record<string, readonly string[]>> = {
  "green.regressions": ["red.old_tests"],
  "green.required": ["green.regressions", "red.old_tests"],
  required: ["regressions"],
};

function withoutRepeats(checks: GateAnswer["checks"]): GateAnswer["checks"] {
  return checks.filter(({ name, tests }) => {
    const others = reportedBy[name] ?? [];
    const reported = new Set(checks.flatMap((other) => (others.includes(other.name) ? other.tests : [])));
    return tests.length === 0 || !tests.every((id) => reported.has(id));
  });
}

function bullet(text: string, width: number): readonly string[] {
  return paragraph(text, { width, indent: 4, lines: 3 }).map((line, at) =>
    at === 0 ? line.replace("    ", "  - ") : line,
  );
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ["", `${title}:`, ...lines];
}

function cut(line: string, width: number): string {
  return line.length <= width ? line : `${line.slice(0, width - 1)}…`;
}
