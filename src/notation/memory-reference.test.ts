import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AppError } from "../lib/errors.ts";
import {
  memoryNames,
  parseReferences,
  printMemoryAddress,
  readMemoryAddress,
  readMemoryName,
  type MemoryNumber,
} from "./memory-reference.ts";

function refusal(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof AppError) return `${error.code}: ${error.message} (${error.hint})`;
    throw error;
  }
  return "accepted";
}

const memory = fc.constantFrom<MemoryNumber>(1, 2, 3, 4, 5, 6);
const target = fc.oneof(
  fc.nat({ max: 99 }).map((n) => `R${n}`),
  fc.stringMatching(/^[a-zé_][\w é-]{0,8}[a-z]$/u),
);

describe("the name of a memory file", () => {
  test("is read with its sign and in ASCII", () => {
    for (const [number, name] of Object.entries(memoryNames)) {
      expect(readMemoryName(name)).toBe(Number(number));
      expect(readMemoryName(`s${number}`)).toBe(Number(number));
    }
  });

  test.each([
    ["σ2", "write σ₂ (U+03C3 U+2082)"],
    ["σ²", "write σ₂ (U+03C3 U+2082)"],
    ["ς₄", "write σ₄ (U+03C3 U+2084)"],
    ["𝜎₁", "write σ₁ (U+03C3 U+2081)"],
    ["S3", "write σ₃ (U+03C3 U+2083)"],
    [" s3", "write σ₃ (U+03C3 U+2083)"],
    ["σ₉", "known: σ₁ (s1), σ₂ (s2), σ₃ (s3), σ₄ (s4), σ₅ (s5), σ₆ (s6)"],
    ["constructor", "known: σ₁ (s1), σ₂ (s2), σ₃ (s3), σ₄ (s4), σ₅ (s5), σ₆ (s6)"],
    ["", "known: σ₁ (s1), σ₂ (s2), σ₃ (s3), σ₄ (s4), σ₅ (s5), σ₆ (s6)"],
  ])("is refused as %j", (text, hint) => {
    expect(refusal(() => readMemoryName(text))).toBe(
      `unknown_memory: ${JSON.stringify(text)} is not a file of the memory bank (${hint})`,
    );
  });
});

describe("an address in the memory bank", () => {
  test.each([
    ["s2", { memory: 2, target: null }],
    ["σ₂.tech_stack", { memory: 2, target: "tech_stack" }],
    ["s2.Tech Stack", { memory: 2, target: "Tech Stack" }],
    ["σ₁:R1", { memory: 1, target: "R1" }],
    ["s1:R₁₂", { memory: 1, target: "R12" }],
    ["[↗️σ₁:R1]", { memory: 1, target: "R1" }],
    ["[↗s1:R1]", { memory: 1, target: "R1" }],
    ["[->s1:R1]", { memory: 1, target: "R1" }],
  ])("%s is read", (text, address) => {
    expect(readMemoryAddress(text)).toEqual(address);
  });

  test.each(["σ₁.", "s1: R1", "s1:R1]", "[↗️σ₁]", "[↗️σ₁:]", "s1.a\nb"])("%j is refused", (text) => {
    expect(refusal(() => readMemoryAddress(text))).toMatch(/^bad_reference: ".*" is not an address/u);
  });

  test("of an unknown file is refused with the correct spelling", () => {
    expect(refusal(() => readMemoryAddress("[↗️σ1:R1]"))).toContain("(write σ₁ (U+03C3 U+2081))");
  });

  test("survives print and read", () => {
    fc.assert(
      fc.property(memory, fc.option(target), (number, named) => {
        const address = { memory: number, target: named };
        expect(readMemoryAddress(printMemoryAddress(address))).toEqual(address);
      }),
    );
  });

  test("that is invalid throws only AppError", () => {
    const pieces = fc.constantFrom(
      "σ",
      "₁",
      "s",
      "1",
      ":",
      ".",
      "R",
      "[",
      "]",
      "↗️",
      "->",
      " ",
      "\n",
      "\ud83d",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(pieces).map((some) => some.join("")),
        ),
        (text) => {
          refusal(() => readMemoryAddress(text));
          expect(Array.isArray(parseReferences(text))).toBe(true);
        },
      ),
    );
  });
});

describe("references of a text", () => {
  test("are found with their positions, broken ones too", () => {
    const text = [
      "See [↗️σ₂:R1] and [↗s3:tech_stack].",
      "",
      "- [->s1:R₂] [link](a) [->nowhere] [s1:R1]",
      "  wide 🙂 [↗️σ₉:R1] [↗️σ₄] [↗️ σ₅ : R7 ] [↗️",
    ].join("\r\n");
    expect(parseReferences(text)).toEqual([
      { memory: 2, target: "R1", text: "[↗️σ₂:R1]", at: { line: 1, column: 5 } },
      { memory: 3, target: "tech_stack", text: "[↗s3:tech_stack]", at: { line: 1, column: 19 } },
      { memory: 1, target: "R2", text: "[->s1:R₂]", at: { line: 3, column: 3 } },
      { memory: null, target: "R1", text: "[↗️σ₉:R1]", at: { line: 4, column: 11 } },
      { memory: 4, target: "", text: "[↗️σ₄]", at: { line: 4, column: 21 } },
      { memory: 5, target: "R7", text: "[↗️ σ₅ : R7 ]", at: { line: 4, column: 28 } },
    ]);
  });

  test("in code are examples", () => {
    const text = "`[↗️σₓ:Rₓ]` [↗️σ₁:R1]\n```md\n[↗️σ₁:R2]\n```\n[↗️σ₁:R3] ``a`[↗️σ₁:R4]``\n~~~\n[↗️σ₁:R5]";
    expect(parseReferences(text).map(({ target: to, at }) => [to, at.line, at.column])).toEqual([
      ["R1", 1, 13],
      ["R3", 5, 1],
    ]);
  });

  test("survive print and parse", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(memory, target)), (references) => {
        const text = references.map(([number, to]) => `[↗️${memoryNames[number]}:${to}]`).join("\n");
        expect(parseReferences(text).map((found) => [found.memory, found.target, found.at.line])).toEqual(
          references.map(([number, to], index) => [number, to, index + 1]),
        );
      }),
    );
  });
});
