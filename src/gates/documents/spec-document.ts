import { conclude, failed, passed } from "../check.ts";
import { sectionFaults, sectionsNamed, documentSections } from "./sections.ts";
import type { Verdict } from "../verdict.ts";

/** Reads spec.md: its sections and its criteria (ORC-10). */
export interface SpecDocument {
  /** In document order; ids without hyphens and leading zeros, e.g. `FR1`. */
  readonly criteria: readonly SpecCriterion[];
  /** Each names the wrong section or id. */
  readonly faults: readonly string[];
}

export interface SpecCriterion {
  readonly id: string;
  /** One line. */
  readonly text: string;
}

export const specSections = [
  "Overview",
  "Functional Requirements",
  "Inputs",
  "Outputs",
  "Edge Cases",
  "Error Handling",
  "Constraints",
  "Success Criteria",
  "Out of Scope",
] as const;

const idSections = [
  { section: "Functional Requirements", prefix: "FR" },
  { section: "Edge Cases", prefix: "EC" },
  { section: "Error Handling", prefix: "ERR" },
] as const;

export function parseSpec(text: string): SpecDocument {
  const sections = documentSections(text);
  const faults = [...sectionFaults(sections, specSections)];
  const criteria: SpecCriterion[] = [];
  for (const { section, prefix } of idSections) {
    const body = sectionsNamed(sections, section)[0]?.body ?? "";
    const found = criteriaOf(body, prefix);
    for (const criterion of found) {
      if (criteria.some(({ id }) => id === criterion.id)) faults.push(`duplicate id: ${criterion.id}`);
      else criteria.push(criterion);
      if (criterion.text === "") faults.push(`${criterion.id} has no text`);
    }
    if (found.length === 0 && /[\p{L}\p{N}]/u.test(body) && !/\bnone\b/i.test(body))
      faults.push(`no id in section ${section}: write - ${prefix}1: … or none`);
  }
  if (criteria.length === 0 && faults.length === 0)
    faults.push("the spec names no criterion: it needs at least FR1");
  return { criteria, faults: [...new Set(faults)] };
}

/** The gate `spec`. */
export function judgeSpec(text: string | null): Verdict {
  const faults = text === null ? ["there is no .claude/temp/spec.md"] : parseSpec(text).faults;
  return conclude({
    checks: faults.length === 0 ? [passed("spec.md")] : faults.map((fault) => failed("spec.md", fault)),
    findings: [],
  });
}

const startOfCriterion =
  /^\s*(?:[-*+•]\s+|\d+[.)]\s+|#{1,6}\s+|\|\s*|>\s+)?(?:\[[ xX]\]\s+)?[*_`[(]*(FR|EC|ERR)[-_ ]?0*(\d+)(?![\p{L}\p{N}_])(.*)$/iu;

/** Items that begin with an id: list items, headings, table rows or plain lines. */
function criteriaOf(body: string, prefix: string): readonly SpecCriterion[] {
  const found: { id: string; lines: string[] }[] = [];
  for (const line of body.replaceAll(/<!--[\s\S]*?-->/g, "").split("\n")) {
    const [, kind, number = "", rest = ""] = startOfCriterion.exec(line) ?? [];
    if (kind?.toUpperCase() === prefix) found.push({ id: `${prefix}${number}`, lines: [rest] });
    else if (/^ {0,3}#{1,6}\s/.test(line)) found.at(-1)?.lines.push("", "");
    else found.at(-1)?.lines.push(line);
  }
  return found.map(({ id, lines }) => ({ id, text: firstParagraph(lines) }));
}

function firstParagraph(lines: readonly string[]): string {
  const text = lines.map((line) => line.replace(/^[\s\])*_`:.|–—-]+/, "").replace(/[\s|]+$/, ""));
  const from = text.findIndex((line) => line !== "");
  if (from < 0) return "";
  const rest = text.slice(from);
  const to = rest.indexOf("");
  return (to < 0 ? rest : rest.slice(0, to))
    .join(" ")
    .replaceAll(/\s+/g, " ")
    .replace(/^\*+\s*/, "");
}
