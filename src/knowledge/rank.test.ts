import { expect, test } from "vitest";
import { analyse } from "./analysis.ts";
import { readPage } from "./markdown.ts";
import { rank } from "./rank.ts";
import type { Documents } from "./refresh.ts";
import { vocabularyOf } from "./vocabulary.ts";

function documents(texts: Readonly<Record<string, string>>): Documents {
  const vocabulary = vocabularyOf([]);
  const files = Object.entries(texts).map(([path, text]) => ({
    path,
    analysis: analyse(text, path, vocabulary),
  }));
  return { vocabulary, files, skipped: [] };
}

const order = (texts: Readonly<Record<string, string>>, phrase: string) =>
  rank(documents(texts), phrase).map(({ path }) => path);

test("title ranks before heading before text, and the word itself before a synonym", () => {
  const rest = "Nothing else is told here.";
  expect(
    order(
      {
        "a.md": `# Cats\n\nThe walrus. ${rest}`,
        "b.md": `# Dogs\n\n## Walrus\n\n${rest}`,
        "c.md": `# Walrus\n\n${rest}`,
        "d.md": `# Birds\n\n${rest}`,
      },
      "a walrus",
    ),
  ).toEqual(["c.md", "b.md", "a.md"]);
  expect(order({ "a.md": `# Erase\n\n${rest}`, "b.md": `# Delete\n\n${rest}` }, "deleting")).toEqual([
    "b.md",
    "a.md",
  ]);
});

test("words that co-occur in the corpus raise each other's documents", () => {
  const texts = {
    "one.md": "# Blorp\n\nA blorp of the gizmo turns the quux wheel.",
    "two.md": "# Blorp again\n\nThe blorp and its gizmo need the quux wheel oiled.",
    "a-plain.md": "# Plain\n\nOil lies beside the blorp, under a tarpaulin in the barn.",
    "b-quux.md": "# Plain\n\nOil lies beside the blorp, under a quux in the barn.",
    "other.md": "# Barn\n\nThe barn has a tarpaulin.",
  };
  const found = order(texts, "blorp gizmo");
  expect(found.indexOf("b-quux.md")).toBeLessThan(found.indexOf("a-plain.md"));
  expect(found).not.toContain("other.md");
});

test("a document without any of the words is not found, and an empty corpus gives no results", () => {
  expect(order({ "a.md": "# Cats" }, "walrus")).toEqual([]);
  expect(order({ "a.md": "# Cats" }, "the of and")).toEqual([]);
  expect(order({}, "walrus")).toEqual([]);
});

test("a page is split at its headings, never within a fence, and a section knows its enclosing headings", () => {
  const long = "word ".repeat(300);
  const page = readPage(
    `---\ntitle: Own\ndescription: About it\n---\nIntro\n# Top\n${long}\n## Part\n${long}\n\`\`\`sh\n# no heading\n\`\`\`\n### Deep\n${long}`,
  );
  expect(page).toMatchObject({ title: "Own", about: " About it" });
  expect(page.sections.map(({ headings }) => headings)).toEqual(["", "Top", "Top\nPart", "Top\nPart\nDeep"]);
  expect(page.sections[2]?.text).toContain("# no heading");
});
