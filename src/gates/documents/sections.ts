/** The sections of a document that a gate checks. */
import { headingsOf, isWithin, linesOf, sectionsOf, type Section } from "../../lib/headings.ts";

export function documentSections(text: string): readonly Section[] {
  return withoutTitle(sectionsOf(text));
}

/** The document's title is not one of its sections. */
function withoutTitle<T extends { readonly level: number }>(headings: readonly T[]): readonly T[] {
  const [first, ...rest] = headings;
  return first?.level === 1 && rest.length > 0 && rest.every(({ level }) => level > 1) ? rest : headings;
}

/** The sections with that name; `Inputs`, `2. Inputs:` and `inputs (CLI)` are the same name. */
export function sectionsNamed(sections: readonly Section[], name: string): readonly Section[] {
  return sections.filter(({ title }) => plainTitle(title) === plainTitle(name));
}

/** One fault for each section that is missing, duplicated or empty. */
export function sectionFaults(sections: readonly Section[], names: readonly string[]): readonly string[] {
  return names.flatMap((name) => {
    const [section, ...more] = sectionsNamed(sections, name);
    if (section === undefined) return [`missing section: ${name}`];
    if (more.length > 0) return [`duplicate section: ${name}`];
    return isBlank(section.body) ? [`empty section without the word none: ${name}`] : [];
  });
}

/** Contains only whitespace, comments, rules and sub-headings. */
function isBlank(body: string): boolean {
  const lines = linesOf(`\n${body.replaceAll(/<!--[\s\S]*?-->/g, "")}`); // the line break prevents a section from starting with front matter
  const headings = headingsOf(lines);
  const shown = lines.filter((_, index) => !headings.some((heading) => isWithin(heading, index)));
  return !shown.some(({ text }) => /[\p{L}\p{N}]/u.test(text));
}

function plainTitle(title: string): string {
  return title
    .replace(/^\s*\d+(?:\.\d+)*[.)]?\s+/, "")
    .replaceAll(/\([^)]*\)/g, "")
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .toLowerCase();
}
