/** The answer in Markdown, for the summary of a CI job. No text of the change becomes markup. */
import { counted } from "../../lib/counted.ts";
import { safeLine } from "../../lib/safe-text.ts";
import { excerptOf } from "../../lib/text.ts";
import { shortCommit } from "../../lib/short-commit.ts";
import { notesOf } from "../notes.ts";
import { headlineOf, wrongOutcomes, type Outcome, type Report } from "./outcomes.ts";

export function markdownReport({ answer, version }: Pick<Report, "answer" | "version">): string {
  const { verdict, base, head, red, runner, required } = answer;
  const mark = { pass: "✅", fail: "❌", inconclusive: "❔" }[verdict];
  const wrong = wrongOutcomes(answer);
  const commits = [
    `${code(shortCommit(base))} → ${code(shortCommit(head))}`,
    ...(red === null ? [] : [`RED ${code(shortCommit(red))}`]),
  ];
  return [
    `## ${mark} Mettle: ${headlineOf(answer)}`,
    "",
    [...commits, ...(runner === null ? [] : [plain(runner)]), `mettle ${plain(version)}`].join(" · "),
    ...section("What is wrong", wrong.filter((one) => one.verdict === "fail").map(item)),
    ...section("What could not be judged", wrong.filter((one) => one.verdict === "inconclusive").map(item)),
    ...section(
      `Tests that fail without the change and pass with it (${required.length})`,
      verdict === "pass" && answer.gate === "prove" ? required.map((id) => `- ${code(id)}`) : [],
    ),
    ...section(
      "To look at",
      notesOf(answer).map((note) => `- ${plain(note)}`),
    ),
  ].join("\n");
}

/** An error that ended the command, for the same summary. */
export function markdownError({
  code: name,
  message,
  hint,
}: {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}): string {
  return [`## ❔ Mettle: not judged`, "", `${code(name)}: ${plain(message)}`, "", `${plain(hint)}`].join(
    "\n",
  );
}

function item({ name, title, reason, places }: Outcome): string {
  const where = places.slice(0, 5).map(({ path, line }) => code(`${path}${line === null ? "" : `:${line}`}`));
  return `- **${plain(title)}** (${code(name)}): ${plain(reason)}${where.length === 0 ? "" : ` — ${where.join(", ")}`}`;
}

const maxItems = 50;

function section(title: string, items: readonly string[]): readonly string[] {
  if (items.length === 0) return [];
  const more = items.length > maxItems ? [`- and ${counted(items.length - maxItems, "more", "more")}`] : [];
  return ["", `### ${title}`, "", ...items.slice(0, maxItems), ...more];
}

/** GitHub accepts one megabyte. */
const maxText = 2000;
const maxCode = 300;

/** One line without markup. */
function plain(text: string): string {
  const line = excerptOf(safeLine(text), maxText);
  return line.replaceAll(/[\\`*_[\]<>#|~&@]/gu, (char) => (char === "@" ? "@\u200B" : `\\${char}`));
}

/** A code span; its fence is longer than each one inside. */
function code(text: string): string {
  const line = excerptOf(safeLine(text), maxCode);
  const longest = Math.max(0, ...[...line.matchAll(/`+/gu)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return longest === 0 ? `${fence}${line}${fence}` : `${fence} ${line} ${fence}`;
}
