/** Splits a markdown document into the sections that a gate asks for. Headings inside code fences are text. */
import { fencesOf } from "../lib/markdown.ts";
export interface Section {
  /** As the document writes it. */
  readonly title: string;
  /** Everything below the heading up to the next one of its level or higher, sub-headings with it. */
  readonly body: string;
}

export function sectionsOf(text: string): readonly Section[] {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  const headings = withoutTitle(headingsOf(lines));
  return headings.map(({ at, level, title }) => {
    const end = headings.find((other) => other.at > at && other.level <= level)?.at ?? lines.length;
    return { title, body: lines.slice(at + 1, end).join("\n") };
  });
}

/** A document's own title is no section of it, whatever it is called. */
function withoutTitle<T extends { readonly level: number }>(headings: readonly T[]): readonly T[] {
  const [first, ...rest] = headings;
  return first?.level === 1 && rest.length > 0 && rest.every(({ level }) => level > 1) ? rest : headings;
}

/** The sections of that name; `Inputs`, `2. Inputs:` and `inputs (CLI)` are one name. */
export function sectionsNamed(sections: readonly Section[], name: string): readonly Section[] {
  return sections.filter(({ title }) => plainTitle(title) === plainTitle(name));
}

/** One fault for each section that is missing, stands twice, or has no content. */
export function sectionFaults(sections: readonly Section[], names: readonly string[]): readonly string[] {
  return names.flatMap((name) => {
    const [section, ...more] = sectionsNamed(sections, name);
    if (section === undefined) return [`missing section: ${name}`];
    if (more.length > 0) return [`section stands twice: ${name}`];
    return isBlank(section.body) ? [`empty section without the word none: ${name}`] : [];
  });
}

/** Nothing but space, comments, rules and sub-headings. */
function isBlank(body: string): boolean {
  const text = body
    .replaceAll(/<!--[\s\S]*?-->/g, "")
    .split("\n")
    .filter((line) => !/^ {0,3}#{1,6}(?:\s|$)/.test(line))
    .join("\n");
  return !/[\p{L}\p{N}]/u.test(text);
}

function headingsOf(
  lines: readonly string[],
): readonly { readonly at: number; readonly level: number; readonly title: string }[] {
  const found: { at: number; level: number; title: string }[] = [];
  const fences = fencesOf(lines);
  for (const [at, line] of lines.entries()) {
    const heading = fences[at]?.role === null ? /^ {0,3}(#{1,6})\s+(.*?)[\s#]*$/.exec(line) : null;
    if (heading) found.push({ at, level: heading[1]?.length ?? 1, title: heading[2] ?? "" });
  }
  return found;
}

function plainTitle(title: string): string {
  return title
    .replace(/^\s*\d+(?:\.\d+)*[.)]?\s+/, "")
    .replaceAll(/\([^)]*\)/g, "")
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .toLowerCase();
}
