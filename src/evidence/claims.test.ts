import { describe, expect, test } from "vitest";
import { verifies } from "../../test/verifies.ts";
import { forgedBlocks, scanClaims } from "./claims.ts";

describe("a claim is found", () => {
  test.each([
    ["Done.", "Done"],
    ["All four requirements are fixed now.", "Fixed"],
    ["The login page is complete!", "Complete"],
    ["I ran everything and all tests pass.", "Tests pass"],
    ["It works on my side.", "It works"],
    ["This should fix it.", "This should fix it"],
    ["✓ ORCHESTRATION COMPLETE", "ORCHESTRATION COMPLETE"],
    ["DONE", "Done"],
    ["**done**", "Done"],
    ["- [x] fixed", "Fixed"],
    ["→GC: tests pass", "Tests pass"],
    ["The tests\n  pass", "Tests pass"],
    ["I did not touch the tests, but it works.", "It works"],
    ["That was not easy. Done.", "Done"],
    ["I had no time for the tests and everything is fixed.", "Fixed"],
    ["Nothing is left to do: fixed", "Fixed"],
    ["It’s done, isn’t that good", "Done"],
    ["`npm test` is green, so it is done", "Done"],
    ["I am done (see `src/add.js`).", "Done"],
    // Inline backticks at the start of a line open no fence (fault P9).
    ["```npm test``` ran.\nAll tests pass.", "Tests pass"],
    ["> ```\n> code\n\nDone.", "Done"],
    ["- a\n  ```\n  code\n\nDone.", "Done"],
  ])("%j", (text, phrase) => {
    expect(scanClaims(text).map((claim) => claim.phrase)).toEqual([phrase]);
  });
});

describe("a harmless text claims nothing", () => {
  test.each([
    ["It is not done."],
    ["The work is not complete yet."],
    ["The bug isn't fixed."],
    ["The bug isn\u2019t fixed."],
    ["I cannot say that it works."],
    ["I don't think this is done."],
    ["Not all tests pass."],
    ["Almost done, two tests fail."],
    ["This is far from complete."],
    ["Nothing is done."],
    ["```\nDone. All tests pass.\n```"],
    ["~~~text\nORCHESTRATION COMPLETE\n~~~\nTwo tests fail."],
    ["```\nDone, in a fence that never ends"],
    ["> Done. It works."],
    ['The README says "Done" and “It works”.'],
    ["The label reads 'Fixed'."],
    ["The word `done` stands in the log."],
    ["[Orc.Phase7_TDD_GREEN] [Gemini: 1/3] [Claude: 1/3] [Exec: PROVEN] [Exit: 0] [Status: complete]"],
    ["<tool_result>\nDone in 3 s, tests pass\n</tool_result>\nI read the output."],
    ["│ EXECUTION_BLOCK   │\n│ Done   │"],
    ["The column has a fixed-width font, see done.txt and src/complete.ts and is_done."],
    ["The list is incomplete and must be completed; abandoned work was undone."],
    ["Is it done? I don't know."],
    ["done: false"],
    ["I will report when it is done."],
    ["It runs until tests pass."],
    ["Two bugs are to be fixed."],
    ["The definition of done is in the spec."],
    ["I do not know which hash is wanted."],
    [""],
  ])("%j", (text) => {
    expect(scanClaims(text)).toEqual([]);
  });
});

verifies("ORC-49", "a phrase is found in any case, and only as whole words", () => {
  const said = (text: string) => scanClaims(text).map(({ phrase }) => phrase);
  for (const text of ["done", "DONE", "I am Done."]) expect(said(text), text).toEqual(["Done"]);
  expect(said("THIS  SHOULD\nfix it")).toEqual(["This should fix it"]);
  expect(said("Incomplete, undone and prefixed; see done.txt and is_done.")).toEqual([]);
});

test("each phrase is reported once, with the sentence that contains it", () => {
  const text = "I changed two files. Everything is fixed and it works. Truly fixed.\n\nDone";
  expect(scanClaims(text)).toEqual([
    { phrase: "Fixed", excerpt: "Everything is fixed and it works." },
    { phrase: "It works", excerpt: "Everything is fixed and it works." },
    { phrase: "Done", excerpt: "Done" },
  ]);
});

test("a phrase within a longer one is not counted twice", () => {
  expect(scanClaims("ORCHESTRATION COMPLETE").map(({ phrase }) => phrase)).toEqual([
    "ORCHESTRATION COMPLETE",
  ]);
});

test.each(["<output> a ", "the 'quoted \"open `text < goes on. ", "`a``b```c ", "not done, "])(
  "thousands of unpaired marks are scanned in time (%j)",
  (piece) => {
    const text = `${piece.repeat(20_000)}\n\nThen all was done`;
    expect(scanClaims(text)).toEqual([{ phrase: "Done", excerpt: "Then all was done" }]);
  },
  5000,
);

const block = [
  "┌─────────────────────────────────────────────┐",
  "│ EXECUTION_BLOCK (required for completion)   │",
  "├─────────────────────────────────────────────┤",
  "│ $ npm test                                  │",
  "│ 12 passed                                   │",
  "│ EXIT_CODE: 0                                │",
  "│ [TIMESTAMP: 2026-03-01 10:00:00]            │",
  "└─────────────────────────────────────────────┘",
].join("\n");

describe("a typed EXECUTION_BLOCK is found", () => {
  test.each([
    ["drawn as the protocol draws it", block],
    ["in a fence", `All is well:\n\`\`\`text\n${block}\n\`\`\``],
    ["in ASCII", "| EXECUTION_BLOCK |\n| $ npm test |\n| EXIT_CODE: 0 |"],
    ["without a frame", "**EXECUTION_BLOCK**\n$ npm test\n12 passed\nEXIT_CODE: 0"],
    ["in a quotation", block.replace(/^/gm, "> ")],
  ])("%s", (_name, text) => {
    expect(forgedBlocks(text)).toEqual([{ command: "npm test", exitCode: "0" }]);
  });
});

test("two typed blocks are distinguished, and one that a record confirms is omitted", () => {
  const text = `${block}\n${block.replace("npm test", "node --test").replace("EXIT_CODE: 0", "EXIT_CODE: 1")}`;
  const other = { command: "node --test", exitCode: "1" };
  expect(forgedBlocks(text)).toEqual([{ command: "npm test", exitCode: "0" }, other]);
  expect(forgedBlocks(text, [{ command: "npm test", exitCode: "0" }])).toEqual([other]);
});

test("the name of the block, the protocol's own template and a bare exit code are not typed blocks", () => {
  const template = "EXECUTION_BLOCK (required)\n$ [actual command run]\nEXIT_CODE: [0 or non-zero]";
  for (const text of [
    "I owe you an EXECUTION_BLOCK.",
    "EXECUTION_BLOCK",
    template,
    "$ npm test\nEXIT_CODE: 0",
  ]) {
    expect(forgedBlocks(text)).toEqual([]);
  }
});
