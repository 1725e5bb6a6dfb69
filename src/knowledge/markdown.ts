/** Cuts a Markdown text into its front matter and sections. What is no Markdown is one section. */
import { fenceReader } from "../lib/markdown.ts";
export interface Page {
  readonly title: string;
  /** What the front matter says of the page. */
  readonly about: string;
  readonly sections: readonly Section[];
}

export interface Section {
  /** With those of the sections around it. */
  readonly headings: string;
  readonly text: string;
}

/** Short sections are taken together up to this length: a heading with one sentence says too little by itself. */
const together = 1_200;

export function readPage(text: string): Page {
  const { front, body } = frontMatter(text);
  const { title, sections } = cut(body, /^title:\s*(.+)$/m.exec(front)?.[1] ?? "");
  const about = front.match(/^(description|summary|keywords|tags):.+$/gm) ?? [];
  return {
    title,
    about: about.map((line) => line.slice(line.indexOf(":") + 1)).join("\n"),
    sections: joined(sections),
  };
}

function cut(body: string, given: string): { readonly title: string; readonly sections: readonly Section[] } {
  const sections: Section[] = [];
  const open: string[] = [];
  let title = given;
  let headings = "";
  let lines: string[] = [];
  const read = fenceReader();
  const close = () => {
    if (lines.length > 0 || headings !== "") sections.push({ headings, text: lines.join("\n") });
    lines = [];
  };
  for (const line of body.split(/\r?\n/)) {
    const [, level, heading] = (read(line).role === null ? /^(#{1,6})\s+(.*?)\s*#*$/.exec(line) : null) ?? [];
    if (level === undefined || heading === undefined) {
      lines.push(line);
      continue;
    }
    close();
    if (title === "") title = heading;
    open.splice(level.length - 1);
    while (open.length < level.length - 1) open.push("");
    open.push(heading);
    // The title counts for every section already.
    headings = open.filter((one) => one !== title).join("\n");
  }
  close();
  return { title, sections };
}

function joined(sections: readonly Section[]): readonly Section[] {
  const found: Section[] = [];
  for (const section of sections) {
    const last = found.at(-1);
    if (last === undefined || last.text.length + section.text.length >= together) found.push(section);
    else
      found.splice(-1, 1, {
        headings: `${last.headings}\n${section.headings}`,
        text: `${last.text}\n${section.text}`,
      });
  }
  return found;
}

export function frontMatter(text: string): { readonly front: string; readonly body: string } {
  const found = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text);
  return found === null
    ? { front: "", body: text }
    : { front: found[1] ?? "", body: text.slice(found[0].length) };
}
