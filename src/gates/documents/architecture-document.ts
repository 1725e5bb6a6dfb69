import { conclude, failed, passed } from "../check.ts";
import { plannedFiles } from "./planned-files.ts";
import { sectionFaults, sectionsNamed, documentSections } from "./sections.ts";
import type { Verdict } from "../verdict.ts";

/** Reads architecture.md: its sections, the planned files and the planned tests of each criterion (ORC-11). */
export interface ArchitectureDocument {
  /** Paths in document order, without duplicates. */
  readonly files: readonly string[];
  /** Criterion id -> titles of its planned tests. */
  readonly plan: Readonly<Record<string, readonly string[]>>;
  /** `missing section: …`, `unplanned: EC2`. */
  readonly faults: readonly string[];
}

export const architectureSections = ["File Structure", "TDD Strategy"] as const;

/** @param criteria ids of the spec's criteria, which the plan must cover */
export function parseArchitecture(text: string, criteria: readonly string[]): ArchitectureDocument {
  const sections = documentSections(text);
  const body = (name: string): string => sectionsNamed(sections, name)[0]?.body ?? "";
  const plan = testPlan([body("TDD Strategy"), body("Test Plan")].join("\n"));
  const unplanned = criteria.filter((id) => (plan[id] ?? []).length === 0);
  return {
    files: plannedFiles(body("File Structure")),
    plan,
    faults: [...sectionFaults(sections, architectureSections), ...unplanned.map((id) => `unplanned: ${id}`)],
  };
}

/** The gate `architecture`. */
export function judgeArchitecture(text: string | null, criteria: readonly string[]): Verdict {
  const faults =
    text === null ? ["there is no .claude/temp/architecture.md"] : parseArchitecture(text, criteria).faults;
  return conclude({
    checks:
      faults.length === 0
        ? [passed("architecture.md")]
        : faults.map((fault) => failed("architecture.md", fault)),
    findings: [],
  });
}

/** A line with ids plans its quoted titles, or else its own text, as their tests; items below it without an id add theirs. */
function testPlan(body: string): Readonly<Record<string, readonly string[]>> {
  const plan: Record<string, string[]> = {};
  let above: { ids: readonly string[]; indent: number; heading: boolean } | null = null;
  for (const line of body.split("\n")) {
    if (line.trim() === "") continue;
    const indent = /^\s*/.exec(line)?.[0].length ?? 0;
    const heading = /^ {0,3}#{1,6}\s/.test(line);
    const ids = idsOf(line);
    if (ids.length > 0) above = { ids, indent, heading };
    else if (above === null || heading || !(above.heading || indent > above.indent)) {
      above = null;
      continue;
    }
    for (const id of above.ids) (plan[id] ??= []).push(...titlesOf(line));
  }
  return Object.fromEntries(Object.entries(plan).map(([id, titles]) => [id, [...new Set(titles)]]));
}

/** `FR1`, `FR-1`, and every id in `FR1-FR3`. */
function idsOf(line: string): readonly string[] {
  const ids: string[] = [];
  for (const match of line.matchAll(idOrRange)) {
    const prefix = match[1] ?? "";
    const from = Number(match[2]);
    const to = match[3] === undefined ? from : Number(match[3]);
    for (let number = from; number <= Math.min(to, from + 200); number += 1)
      ids.push(`${prefix}${String(number)}`);
  }
  return [...new Set(ids)];
}

const idOrRange =
  /(?<![\p{L}\p{N}_-])(FR|EC|ERR)-?(\d+)(?:\s*(?:-|–|—|\.\.\.?|…|to)\s*\1-?(\d+))?(?![\p{L}\p{N}_])/gu;
const quoted = /"([^"]+)"|“([^”]+)”|`([^`]+)`|(?<![\p{L}\p{N}])'([^']+)'(?![\p{L}\p{N}])/gu;

function titlesOf(line: string): readonly string[] {
  const titles = [...line.matchAll(quoted)].map(
    (match) => match.slice(1).find((title) => title !== undefined) ?? "",
  );
  if (titles.length > 0) return titles;
  const words = line
    .replaceAll(idOrRange, " ")
    .replace(/^(?:[^\p{L}\p{N}]|\d+[.)]\s)+/u, "")
    .replaceAll(/[\s|*_]+/g, " ")
    .replace(/[^\p{L}\p{N})\]]+$/u, "");
  return words === "" || /^(?:none|todo|tbd|n a|n\/a|unplanned|not planned|no tests?|later)$/i.test(words)
    ? []
    : [words];
}
