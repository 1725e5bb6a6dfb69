/** Describes a document in a search result, from the document itself. */
import { frontMatterOf } from "../lib/front-matter.ts";
import { headingsOf, linesOf } from "../lib/headings.ts";
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { isMap, isScalar, isSeq, parseDocument } from "yaml";

const maxLength = 200;
const maxFiles = 20;

/** About four characters of English make one token of a model. */
export function tokensIn(text: string): number {
  return Math.ceil(text.length / 4);
}

/** The description of the front matter, else the first paragraph of prose, else the first heading. */
export function descriptionOf(text: string): string {
  const { yaml, body } = frontMatterOf(text) ?? { yaml: "", body: text };
  const declared = fieldOf(yaml, "description");
  if (declared.length > 0) return shortened(declared.join(" "));
  const lines = linesOf(`\n${body}`);
  const blocks = lines
    .map((line) => (line.opaque ? "" : line.text))
    .join("\n")
    .replace(/<!--[\s\S]*?-->/g, "")
    .split(/\n\s*\n/);
  const prose = blocks.map(proseOf).find((block) => /\p{L}{2,}.*\s.*\p{L}{2,}/u.test(block));
  return shortened(prose ?? headingsOf(lines)[0]?.title ?? "");
}

/** The files that the front matter lists, else the files of the checkout that the text names in backticks or links. */
export async function relevantFilesOf(text: string, root: string): Promise<readonly string[]> {
  const { yaml, body } = frontMatterOf(text) ?? { yaml: "", body: text };
  const declared = fieldOf(yaml, "relevant_files");
  if (declared.length > 0) return declared;
  const named = [...body.matchAll(/`([^`\s]+)`|\]\(([^)\s#?]+)/g)].map(
    ([, code, link]) => code ?? link ?? "",
  );
  const paths = [...new Set(named.map((path) => path.replace(/^\.\//, "").replace(/:\d+$/, "")))];
  const found: string[] = [];
  for (const path of paths.filter(isPath)) {
    if (found.length === maxFiles) break;
    const isFile = await lstat(join(root, path)).then(
      (stat) => stat.isFile(),
      () => false,
    );
    if (isFile) found.push(path);
  }
  return found;
}

function isPath(name: string): boolean {
  return /[/.]/.test(name) && !/^(\/|[a-z]+:)|(^|\/)\.\.(\/|$)/i.test(name);
}

/** The texts of a field, one or a list; empty if the front matter is malformed. */
function fieldOf(yaml: string, name: string): readonly string[] {
  if (yaml === "") return [];
  const { contents } = parseDocument(yaml, { logLevel: "silent" });
  const value = isMap(contents) ? contents.get(name, true) : null;
  const items = isSeq(value) ? value.items : [value];
  return items.flatMap((item) =>
    isScalar(item) && typeof item.value === "string" && item.value.trim() !== "" ? [item.value.trim()] : [],
  );
}

/** Empty for a block that is not prose: a heading, table, list, quote, image, HTML or JavaScript. */
function proseOf(block: string): string {
  const text = block.trim();
  if (/^([#|>*+=-]|\d+[.)]\s|[<[!{]|import\s|export\s|~~~|```)/.test(text)) return "";
  return text
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[*_`]/g, "")
    .replace(/\s+/g, " ");
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= maxLength ? line : `${line.slice(0, maxLength - 1).replace(/\s+\S*$/, "")}…`;
}
