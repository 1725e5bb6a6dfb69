import fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod";
import { readDocument, readYaml, toYaml, writeDocument } from "./front-matter.ts";
import { inCi } from "../../test/verifies.ts";

const Any = z.looseObject({
  text: z.string(),
  list: z.array(z.string()),
  deep: z.array(z.object({ a: z.string() })),
});

inCi("written values and body are read back unchanged", () => {
  const odd = fc.constantFrom(
    "---\n",
    "\r\n",
    "\t",
    ": ",
    "# ",
    "'",
    '"',
    "\u0085",
    "\u2028",
    "\uFEFF",
    "- ",
    "|\n ",
    "\u0000",
    " ",
    "\n",
  );
  const piece = fc.oneof(
    fc.string({ unit: "grapheme" }),
    odd,
    fc.constantFrom("true", "null", "1e3", "2026-01-01", "~", "=", "<<"),
  );
  const text = fc.array(piece, { maxLength: 6 }).map((all) => all.join(""));
  const fields = fc.record({ text, list: fc.array(text), deep: fc.array(fc.record({ a: text })) });
  fc.assert(
    fc.property(fields, text, (values, body) => {
      const written = writeDocument({ fields: values, body });
      const back = Buffer.from(written).toString();
      expect(readDocument("f.md", back, Any)).toEqual({ fields: values, body });
      expect(readYaml("f.yaml", Buffer.from(toYaml(values)).toString(), Any)).toEqual(values);
    }),
    { numRuns: 200 },
  );
});

test("an error names its line in the file, and missing front matter is reported", () => {
  expect(() => readDocument("f.md", "---\ntext: a\nlist: b\ndeep: []\n---\n\nbody", Any)).toThrow("f.md:3:");
  expect(() => readDocument("f.md", "---\ntext: [a\n---\n", Any)).toThrow(/^f\.md:\d+:/u);
  for (const text of ["", "text: a\n", "\n---\ntext: a\n---\n", "---\ntext: a\n"])
    expect(() => readDocument("f.md", text, Any)).toThrow("front matter");
  expect(readDocument("f.md", "---\r\ntext: a\r\nlist: []\r\ndeep: []\r\n---\r\nbody\r\n", Any)).toEqual({
    fields: { text: "a", list: [], deep: [] },
    body: "body\r\n",
  });
});
