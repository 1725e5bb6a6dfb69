/**
 * Parses a structured walkthrough: the Markdown report of an agent on one iteration.
 *
 *     ### Iteration 2
 *     **Type**: review-refinement
 *     **Refinement Context**: …
 *     #### Approach
 *     #### Changes Made
 *     - `path`: text
 *     #### Key Decisions
 *     - decision: rationale
 */
import { fenceReader } from "../../lib/markdown.ts";
import { AppError } from "../../lib/errors.ts";
import { walkthroughTypes } from "./prompt.ts";

export interface Walkthrough {
  readonly iteration: number;
  readonly type: (typeof walkthroughTypes)[number];
  readonly refinement_context: string | null;
  readonly approach: string;
  readonly changes: readonly { readonly file: string; readonly description: string }[];
  readonly decisions: readonly { readonly decision: string; readonly rationale: string }[];
}

const headings = {
  iteration: "### Iteration <N>",
  type: "**Type**:",
  context: "**Refinement Context**:",
  approach: "#### Approach",
  changes: "#### Changes Made",
  decisions: "#### Key Decisions",
} as const;

export function readWalkthrough(text: string): Walkthrough {
  const parts = split(text);
  // Missing parts are reported first, since the parts around them are then too long.
  const [, number] = /^### Iteration ([1-9][0-9]*)\s*$/mu.exec(parts.head) ?? [];
  const iteration = Number(requirePart(number, headings.iteration));
  const type = requirePart(field(parts.head, "Type")?.split("\n")[0], headings.type);
  const context = field(parts.head, "Refinement Context");
  if (iteration > 1) requirePart(context ?? undefined, headings.context);
  const approach = requirePart(parts.approach, headings.approach).trim();
  const changes = requirePart(parts.changes, headings.changes);
  const decisions = requirePart(parts.decisions, headings.decisions);
  const known = walkthroughTypes.find((name) => name === type);
  if (known === undefined)
    throw invalid(`${headings.type} is ${type}`, `write ${walkthroughTypes.join(" or ")}`);
  if (approach === "") throw invalid(`${headings.approach} is empty`, "describe the approach");
  return {
    iteration,
    type: known,
    refinement_context: context,
    approach,
    changes: items(changes, headings.changes).map(readChange),
    decisions: items(decisions, headings.decisions).map(readDecision),
  };
}

type Parts = { readonly head: string } & Readonly<
  Record<"approach" | "changes" | "decisions", string | undefined>
>;

/** Splits the text at its headings outside of code. */
function split(text: string): Parts {
  const found: Record<string, string[]> = { head: [] };
  let name = "head";
  const read = fenceReader();
  for (const line of text.split(/\r?\n/u)) {
    const begun = read(line).role === null ? sectionOf(line) : null;
    if (begun === null) found[name]?.push(line);
    else if (found[begun] === undefined) found[(name = begun)] = [];
    else throw invalid(`${headings[begun]} is there twice`, "write each heading once");
  }
  const part = (key: string) => found[key]?.join("\n");
  return {
    head: part("head") ?? "",
    approach: part("approach"),
    changes: part("changes"),
    decisions: part("decisions"),
  };
}

function sectionOf(line: string): "approach" | "changes" | "decisions" | null {
  const heading = line.trimEnd();
  return (["approach", "changes", "decisions"] as const).find((name) => headings[name] === heading) ?? null;
}

/** The value of a field, up to the next field or heading. */
function field(head: string, name: string): string | null {
  const label = `**${name}**:`;
  const lines = head.split("\n");
  const start = lines.findIndex((line) => line.startsWith(label));
  if (start === -1) return null;
  const below = lines.slice(start + 1);
  const end = below.findIndex((line) => /^(\*\*|###)/u.test(line));
  const value = [lines[start]?.slice(label.length), ...below.slice(0, end === -1 ? undefined : end)].join(
    "\n",
  );
  return value.trim() === "" ? null : value.trim();
}

/** The list items of a section, each with its continuation lines. */
function items(section: string, heading: string): readonly string[] {
  const found: string[] = [];
  for (const line of section.split("\n")) {
    if (/^[-*] /u.test(line)) found.push(line.slice(2));
    else if (found.length > 0) found.push(`${found.pop() ?? ""}\n${line}`);
    else if (line.trim() !== "") throw invalid(`${heading} has a line outside of its list: ${line}`, shape);
  }
  return found.map((item) => item.replaceAll(/^ {2}/gmu, "").trim());
}

const shape = "write `- …: …` lines, or leave the section empty";

function readChange(item: string) {
  const [, file, description] = /^`([^`\n]+)`: *([\s\S]*)$/u.exec(item) ?? [];
  if (file === undefined || description === undefined)
    throw invalid(`${headings.changes} has an item that is not "- \`path\`: text": ${item}`, shape);
  return { file, description };
}

/** Splits at the first colon outside of backticks. */
function readDecision(item: string) {
  const [, decision, rationale] = /^((?:`[^`]*`|[^`:]|:(?! ))+): +([\s\S]*)$/u.exec(item) ?? [];
  if (decision === undefined || rationale === undefined)
    throw invalid(`${headings.decisions} has an item that is not "- decision: rationale": ${item}`, shape);
  return { decision, rationale };
}

function requirePart(part: string | undefined, heading: string): string {
  if (part === undefined) throw invalid(`${heading} is missing`, `add the line ${heading}`);
  return part;
}

function invalid(message: string, hint: string): AppError {
  return new AppError("invalid_walkthrough", message, { hint });
}
