/** Splits a Markdown text into front matter and sections. A text without headings is one section. */
import { frontMatterOf } from "../lib/front-matter.ts";
import { headingsOf, linesOf } from "../lib/headings.ts";
export interface MarkdownPage {
  readonly title: string;
  /** Description, summary, keywords and tags of the front matter. */
  readonly about: string;
  readonly sections: readonly MarkdownSection[];
}

export interface MarkdownSection {
  /** Includes the headings of the enclosing sections. */
  readonly headings: string;
  readonly text: string;
}

/** Shorter sections are joined: a heading with one sentence has too few words to be ranked. */
const minSectionLength = 1_200;

export function readPage(text: string): MarkdownPage {
  const { yaml, body } = frontMatterOf(text) ?? { yaml: "", body: text };
  const { title, sections } = cut(body, /^title:\s*(.+)$/m.exec(yaml)?.[1] ?? "");
  const about = yaml.match(/^(description|summary|keywords|tags):.+$/gm) ?? [];
  return {
    title,
    about: about.map((line) => line.slice(line.indexOf(":") + 1)).join("\n"),
    sections: joinShortSections(sections),
  };
}

function cut(
  body: string,
  given: string,
): { readonly title: string; readonly sections: readonly MarkdownSection[] } {
  const sections: MarkdownSection[] = [];
  const open: string[] = [];
  let title = given;
  const lines = linesOf(`\n${body}`).slice(1); // the empty line keeps a second front matter from being read as one
  const headings = headingsOf(lines);
  const textOf = (from: number, to?: number) =>
    lines
      .slice(from, to)
      .map((line) => line.text)
      .join("\n");
  const lead = headings[0]?.first ?? lines.length;
  if (lead > 0) sections.push({ headings: "", text: textOf(0, lead) });
  for (const [index, heading] of headings.entries()) {
    if (title === "") title = heading.title;
    open.splice(heading.level - 1);
    while (open.length < heading.level - 1) open.push("");
    open.push(heading.title);
    // The title already counts for every section.
    const above = open.filter((one) => one !== title).join("\n");
    const text = textOf(heading.after, headings[index + 1]?.first);
    if (text !== "" || above !== "") sections.push({ headings: above, text });
  }
  return { title, sections };
}

function joinShortSections(sections: readonly MarkdownSection[]): readonly MarkdownSection[] {
  const found: MarkdownSection[] = [];
  for (const section of sections) {
    const last = found.at(-1);
    if (last === undefined || last.text.length + section.text.length >= minSectionLength) found.push(section);
    else
      found.splice(-1, 1, {
        headings: `${last.headings}\n${section.headings}`,
        text: `${last.text}\n${section.text}`,
      });
  }
  return found;
}
