import { expect, test } from "vitest";
import * as z from "zod";
import { issuesText } from "./plain-issues.ts";

const Tree = z.strictObject({
  name: z.string().min(2).max(5),
  items: z.array(z.strictObject({ id: z.string(), count: z.int().min(1) })).min(1),
  kind: z.enum(["one", "two"]),
  either: z.union([z.string(), z.array(z.string()), z.strictObject({ path: z.string() })]),
  tagged: z.discriminatedUnion("as", [z.object({ as: z.literal("a") }), z.object({ as: z.literal("b") })]),
  by: z.record(z.string().regex(/^[a-z]+$/), z.number()),
  even: z.number().multipleOf(2),
  flag: z.boolean(),
  url: z.url(),
  code: z.string().regex(/^X/),
  own: z.string().refine((text) => text === "x", "say x"),
});

const good: z.infer<typeof Tree> = {
  name: "abc",
  items: [{ id: "a", count: 1 }],
  kind: "one",
  either: "x",
  tagged: { as: "a" },
  by: {},
  even: 2,
  flag: true,
  url: "http://127.0.0.1/",
  code: "X1",
  own: "x",
};

/** What zod itself would say. */
const zodWords = /Invalid|Too (?:small|big)|Unrecognized|received|discriminator|✖/u;

function said(change: Readonly<Record<string, unknown>>, within?: string): string {
  const read = Tree.safeParse({ ...good, ...change });
  if (read.success) throw new Error("it fits");
  return issuesText(read.error, within);
}

test("what a schema refuses is told with its place, what is expected and what was given (fault L4)", () => {
  expect(said({ items: [{ id: 7, count: 1 }] }, "payload")).toBe(
    "payload.items.0.id: expected a text, got the number 7",
  );
  expect(said({ items: undefined })).toBe("items: expected a list, got nothing");
  expect(said({ items: [] })).toBe("items: expected at least 1 item");
  expect(said({ name: "a" })).toBe("name: expected at least 2 characters");
  expect(said({ name: "abcdefg" })).toBe("name: expected at most 5 characters");
  expect(said({ items: [{ id: "a", count: 0.5 }] })).toContain(
    "items.0.count: expected a whole number, got the number 0.5",
  );
  expect(said({ items: [{ id: "a", count: 0 }] })).toBe(
    "items.0.count: expected at least 1, got the number 0",
  );
  expect(said({ kind: "tow" })).toBe('kind: expected one or two, got the text "tow"');
  expect(said({ either: 7 })).toBe("either: expected a text or a list or a mapping, got the number 7");
  expect(said({ either: { path: 7 } })).toBe("either.path: expected a text, got the number 7");
  expect(said({ either: [7] })).toBe("either.0: expected a text, got the number 7");
  expect(said({ nmae: 1, flag: "yes" })).toBe(
    'flag: expected true or false, got the text "yes"; there is no "nmae" here, did you mean name?',
  );
  expect(said({ own: "y" })).toBe("own: say x");
});

test("nothing of the library's own words is left, whatever does not fit", () => {
  const wrong = [undefined, null, 3, "a", [], {}, { as: "c" }, { A: "b" }, Number.NaN, 3n];
  const texts = Object.keys(good).flatMap((key) =>
    wrong.flatMap((value) => {
      const read = Tree.safeParse({ ...good, [key]: value });
      return read.success ? [] : [issuesText(read.error)];
    }),
  );
  expect(texts.length).toBeGreaterThan(60);
  expect(texts.filter((text) => zodWords.test(text))).toEqual([]);
});
