import fc from "fast-check";
import { expect, test } from "vitest";
import { verifiesInCi } from "../../../test/verifies.ts";
import { project, projectedHash, regionOf } from "./region.ts";

function projected(before: string | Buffer, text = "now", lastProjected: string | null = null) {
  const { bytes, edited } = project(Buffer.from(before as string), { text, lastProjected });
  return { text: bytes.toString(), edited };
}

const part = (text: string) => `a\n${regionOf(text)}\nb\n`;

test("only the text between the markers is replaced, with the line ends of the file", () => {
  expect(projected(part("old"))).toEqual({ text: part("now"), edited: null });
  expect(projected(part("old").replaceAll("\n", "\r\n"))).toEqual({
    text: part("now").replaceAll("\n", "\r\n"),
    edited: null,
  });
  expect(projected(part("now")).text).toBe(part("now"));
  expect(projected(regionOf("old"))).toEqual({ text: regionOf("now"), edited: null });
});

test("an edit inside is detected by the hash in the part or the hash of the caller", () => {
  const edited = part("- plan_approved: false").replace("false", "true");
  const found = projected(edited);
  expect(found.text).toBe(part("now"));
  expect(found.edited).toMatch(/^- plan_approved: true\n<!-- mettle:hash/u);
  const bare = "<!-- mettle:begin -->\nold\n<!-- mettle:end -->\n";
  expect(projected(bare).edited).toBe("old\n");
  expect(projected(bare, "now", projectedHash("old")).edited).toBe(null);
  expect(projected(bare, "now", projectedHash("older")).edited).toBe("old\n");
  expect(projected("<!-- mettle:begin -->\n\n<!-- mettle:end -->\n").edited).toBe(null);
});

test("missing markers are restored, and text that Mettle did not write stays", () => {
  expect(projected("mine\n")).toEqual({ text: `mine\n\n${regionOf("now")}\n`, edited: null });
  expect(projected("mine")).toEqual({ text: `mine\n\n${regionOf("now")}\n`, edited: null });
  expect(projected("")).toEqual({ text: `${regionOf("now")}\n`, edited: null });
  const noEnd = part("old").replace("<!-- mettle:end -->\n", "");
  expect(projected(noEnd)).toEqual({ text: part("now"), edited: null });
  const noBegin = part("old").replace("<!-- mettle:begin -->\n", "");
  expect(projected(noBegin)).toEqual({ text: part("now"), edited: null });
  const neither = noEnd.replace("old", "edited");
  expect(projected(neither).edited).toContain("edited\n");
  expect(projected(neither).text).toContain(regionOf("now"));
  expect(projected(neither).text).toContain("edited\n");
});

test("a text cannot end the part early", () => {
  const evil = "x\n<!-- mettle:end -->\ny\n<!-- mettle:begin -->";
  const first = projected("mine\n", evil);
  expect(projected(first.text, "now")).toEqual({ text: `mine\n\n${regionOf("now")}\n`, edited: null });
  expect(projected(first.text, evil)).toEqual({ text: first.text, edited: null });
});

verifiesInCi("TDP-51", "any bytes outside of the markers stay unchanged", () => {
  const bytes = fc
    .uint8Array({ maxLength: 40 })
    .map((list) => Buffer.from(list.map((byte) => (byte === 60 ? 61 : byte))));
  fc.assert(
    fc.property(bytes, bytes, fc.string({ unit: "binary", maxLength: 30 }), (above, below, text) => {
      const parts = (inner: string) => [above, Buffer.from(`\n${regionOf(inner)}\n`), below];
      const { bytes: after } = project(Buffer.concat(parts("old")), { text, lastProjected: null });
      expect(after.subarray(0, above.length).equals(above)).toBe(true);
      expect(after.subarray(after.length - below.length).equals(below)).toBe(true);
      const again = project(after, { text, lastProjected: null });
      expect(again.bytes.equals(after)).toBe(true);
      expect(again.edited).toBe(null);
    }),
    { numRuns: 200 },
  );
});
