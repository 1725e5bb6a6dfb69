import { expect } from "vitest";
import { verifies } from "../../test/verifies.ts";
import { reviewFormats } from "./review/review-formats.ts";
import { parseReview, readReview } from "./review/review.ts";
import { short } from "./review/fixtures/short.ts";

function plan(text: string): string {
  return short(parseReview(text, reviewFormats["plan-gemini"]));
}

const bodies = "ISSUES: none\nSUGGESTIONS: none";

const corpus: readonly (readonly [name: string, text: string, expected: string])[] = [
  ["a plain approval", `VERDICT: APPROVED\n${bodies}`, "APPROVED"],
  ["a plain refusal", "VERDICT: NEEDS_WORK\nISSUES:\n- no limit\nSUGGESTIONS: none", "NEEDS_WORK"],
  ["a fence around the whole answer", `\`\`\`\nVERDICT: APPROVED\n${bodies}\n\`\`\``, "APPROVED"],
  ["a named fence and space around it", `\n\`\`\`text\nVERDICT: APPROVED\n${bodies}\n\`\`\`\n\n`, "APPROVED"],
  [
    "CRLF, BOM and space at the ends of lines",
    `\uFEFFVERDICT: APPROVED  \r\nISSUES: none \r\nSUGGESTIONS: none\r\n`,
    "APPROVED",
  ],
  ["prose before the fields", `I read both documents.\n\nVERDICT: NEEDS_WORK\n${bodies}`, "NEEDS_WORK"],
  ["a decision line below the fields", `VERDICT: APPROVED\n${bodies}\n\n→APPROVED: fine`, "APPROVED"],
  [
    "a refusal that quotes an approval",
    `VERDICT: NEEDS_WORK\nISSUES:\n- the plan says "VERDICT: APPROVED"\nSUGGESTIONS: none`,
    "NEEDS_WORK",
  ],
  [
    "the untouched template",
    "VERDICT: [APPROVED|NEEDS_WORK]\nISSUES: [list]\nSUGGESTIONS: [improvements]",
    "inconclusive: VERDICT is neither APPROVED nor NEEDS_WORK: [APPROVED|NEEDS_WORK]",
  ],
  [
    "a verdict over an untouched list",
    "VERDICT: APPROVED\nISSUES: none\nSUGGESTIONS: [improvements]",
    "inconclusive: the field SUGGESTIONS was not filled in",
  ],
  [
    "a verdict in a quote",
    `> VERDICT: APPROVED\n\nThat is what the author hopes for.\n${bodies}`,
    "inconclusive: the only verdict is quoted",
  ],
  [
    "a verdict in a fence inside the answer",
    `My review:\n\`\`\`\nVERDICT: APPROVED\n${bodies}\n\`\`\``,
    "inconclusive: the only verdict is quoted",
  ],
  [
    "a fence that ends before the answer does",
    `\`\`\`\nVERDICT: APPROVED\n${bodies}\n\`\`\`\nI cannot agree with this.\n\`\`\`\nx\n\`\`\``,
    "inconclusive: the only verdict is quoted",
  ],
  [
    "a verdict in a sentence",
    `I would say VERDICT: APPROVED here.\n${bodies}`,
    "inconclusive: the only verdict is quoted",
  ],
  [
    "a verdict as indented code",
    `    VERDICT: APPROVED\n${bodies}`,
    "inconclusive: the only verdict is quoted",
  ],
  ["a verdict in a list", `- VERDICT: APPROVED\n${bodies}`, "inconclusive: the only verdict is quoted"],
  [
    "two different verdicts",
    `VERDICT: NEEDS_WORK\n${bodies}\nVERDICT: APPROVED`,
    "inconclusive: there are 2 VERDICT lines",
  ],
  [
    "the same verdict twice",
    `VERDICT: APPROVED\n${bodies}\nVERDICT: APPROVED`,
    "inconclusive: there are 2 VERDICT lines",
  ],
  [
    "the template repeated above the answer",
    `VERDICT: [APPROVED|NEEDS_WORK]\n\nVERDICT: APPROVED\n${bodies}`,
    "inconclusive: there are 2 VERDICT lines",
  ],
  [
    "an approval that quotes a refusal",
    `VERDICT: APPROVED\nISSUES: none\nSUGGESTIONS: none\n> VERDICT: NEEDS_WORK`,
    "inconclusive: VERDICT is APPROVED, and a quoted verdict is NEEDS_WORK",
  ],
  ["another case", `Verdict: Approved\n${bodies}`, "inconclusive: there is no line VERDICT:"],
  ["a bold label", `**VERDICT:** APPROVED\n${bodies}`, "inconclusive: the only verdict is quoted"],
  [
    "a value with more words",
    `VERDICT: APPROVED with remarks\n${bodies}`,
    "inconclusive: VERDICT is neither APPROVED nor NEEDS_WORK: APPROVED with remarks",
  ],
  [
    "a value in brackets",
    `VERDICT: [APPROVED]\n${bodies}`,
    "inconclusive: VERDICT is neither APPROVED nor NEEDS_WORK: [APPROVED]",
  ],
  [
    "a denied value",
    `VERDICT: not APPROVED\n${bodies}`,
    "inconclusive: VERDICT is neither APPROVED nor NEEDS_WORK: not APPROVED",
  ],
  [
    "a value on the next line",
    `VERDICT:\nAPPROVED\n${bodies}`,
    "inconclusive: VERDICT is neither APPROVED nor NEEDS_WORK: ",
  ],
  ["no verdict at all", `All good!\n${bodies}`, "inconclusive: there is no line VERDICT:"],
  ["a missing field", "VERDICT: APPROVED\nSUGGESTIONS: none", "inconclusive: the field ISSUES is missing"],
  [
    "a repeated field",
    `VERDICT: APPROVED\n${bodies}\nISSUES: many`,
    "inconclusive: the field ISSUES appears 2 times",
  ],
  [
    "a field only in a quote",
    "VERDICT: APPROVED\n> ISSUES: none\nSUGGESTIONS: none",
    "inconclusive: the field ISSUES is missing",
  ],
  [
    "a decision that contradicts the text",
    `VERDICT: APPROVED\n${bodies}\n→NEEDS_WORK: no limit`,
    "inconclusive: the review says APPROVED, the report says NEEDS_WORK",
  ],
  [
    "an open fence over everything",
    `\`\`\`\nVERDICT: APPROVED\n${bodies}`,
    "inconclusive: the only verdict is quoted",
  ],
  ["nothing", "", "empty"],
  ["only what nobody can see", " \n\t\u200B\uFEFF\u2800\u0000\n", "empty"],
];

verifies(
  "ORC-35",
  "the corpus of reviewer texts is read as expected, and never as an approval by mistake",
  () => {
    expect(corpus.length).toBeGreaterThanOrEqual(25);
    expect(corpus.map(([name, text]) => [name, plan(text)])).toEqual(
      corpus.map(([name, , expected]) => [name, expected]),
    );

    const claude = reviewFormats["plan-claude"];
    const file = `VERDICT: APPROVED\n${bodies}`;
    const contradictions = [
      readReview({ answer: "→NEEDS_WORK: no limit", file }, claude),
      readReview({ answer: "", file, reported: "NEEDS_WORK" }, claude),
      readReview({ answer: "VERDICT: NEEDS_WORK\nISSUES: many\nSUGGESTIONS: none", file }, claude),
    ];
    expect(contradictions).toEqual(
      contradictions.map(() => ({
        type: "inconclusive",
        why: "the review says APPROVED, the report says NEEDS_WORK",
      })),
    );
  },
);
