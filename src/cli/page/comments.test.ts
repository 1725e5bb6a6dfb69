import { beforeAll, expect, test } from "vitest";
import { createRepository, type TempRepository } from "../../../test/support/repository.ts";
import { openRepository, type Repository } from "../../git/repository.ts";
import { emptyView } from "../../log/run-view.ts";
import type { LineComment } from "../../page/app/wire.ts";
import { memoryPayloads } from "../../testing/memory-payloads.ts";
import { commentedReason } from "./comments.ts";

const payloads = memoryPayloads();
let temp: TempRepository;
let repository: Repository;
let [base, first, second] = ["", "", ""];
let [spec, newSpec] = ["", ""];

beforeAll(async () => {
  temp = await createRepository();
  repository = await openRepository(temp.dir, { path: process.env["PATH"] ?? "", user: {} });
  base = await committed({ "src/a.js": "one\ntwo\nthree\n" });
  first = await committed({ "src/a.js": "one\nTWO {{task}}\nthree\n", "test/a.js": "expect\n" });
  second = await committed({ "src/a.js": "zero\none\nTWO {{task}}\nthree\n" });
  spec = await payloads.put("# Spec\nFR1: letters\n");
  newSpec = await payloads.put("# Spec\nIntroduction\nFR1: letters\n");
});

async function committed(files: Readonly<Record<string, string>>): Promise<string> {
  await temp.write(files);
  return temp.commit();
}

/** The reason of a rejection while the work is at `head`, with the documents that are there then. */
function reasonAt(head: string, reason: string, ...comments: readonly LineComment[]): Promise<string> {
  const document = (ref: string) =>
    ({ type: "document.written", name: "spec", ref, by: "agent", key: "" }) as const;
  const at = { seq: 1, at: "" };
  const view = {
    ...emptyView("r1"),
    head: { red: null, green: head, lastGreen: head, branch: head },
    documents: { spec: { ...document(head === second ? newSpec : spec), ...at } },
  };
  return commentedReason({ session: { view }, payloads, repository }, { reason, comments });
}

const onDiff = (commit: string, line: number, text: string): LineComment => ({
  of: { type: "diff", commit, from: null },
  file: "src/a.js",
  line,
  side: "after",
  text,
});
const onSpec = (ref: string): LineComment => ({
  of: { type: "document", ref },
  file: "spec.md",
  line: 2,
  side: "after",
  text: "Which letters?\nAll?",
});

test("comments follow the reason, each with its place and the line as it is, never as somebody says it is", async () => {
  const removed: LineComment = { ...onDiff(first, 2, "Why not this?"), side: "before" };
  const lying = { ...onDiff(first, 2, "Shout less"), quote: "something else" };
  expect(await reasonAt(first, " Say more \n", onSpec(spec), lying, removed)).toBe(
    [
      "Say more",
      "spec.md:2\n  > FR1: letters\n  Which letters?\n  All?",
      "src/a.js:2\n  > TWO {{task}}\n  Shout less",
      "src/a.js:2 (a line that the change removes)\n  > two\n  Why not this?",
    ].join("\n\n"),
  );
  expect(await reasonAt(first, "")).toBe("");
});

test("the whole change is commented on like a commit, and an earlier commit as long as its file is the same", async () => {
  const whole: LineComment = {
    ...onDiff(second, 1, "Zero?"),
    of: { type: "diff", commit: second, from: base },
  };
  const unchanged = { ...onDiff(first, 1, "Expect what?"), file: "test/a.js" };
  expect(await reasonAt(second, "", whole, unchanged)).toBe(
    "src/a.js:1\n  > zero\n  Zero?\n\ntest/a.js:1\n  > expect\n  Expect what?",
  );
});

test.each([
  [
    "a line of a commit whose file changed since",
    () => reasonAt(second, "", onDiff(first, 2, "x")),
    "src/a.js has changed",
  ],
  [
    "a line of an earlier version of a document",
    () => reasonAt(second, "", onSpec(spec)),
    "spec.md has changed",
  ],
  [
    "a line that the change does not show",
    () => reasonAt(first, "", onDiff(first, 9, "x")),
    "no line 9 of src/a.js",
  ],
])("a comment on %s is refused", async (_, made, message) => {
  await expect(made()).rejects.toMatchObject({
    code: "approval_stale",
    message: expect.stringContaining(message),
    hint: expect.stringContaining("remove this comment"),
  });
});
