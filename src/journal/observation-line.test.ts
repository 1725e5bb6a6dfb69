import { expect, test } from "vitest";
import { verifies } from "../../test/verifies.ts";
import { AppError } from "../lib/errors.ts";
import { parseObservation, parsePattern, printObservation } from "./observation-line.ts";

const at = "2026-03-04T05:06:07.089Z";

function refusal(parse: () => unknown): string {
  try {
    parse();
  } catch (error) {
    if (error instanceof AppError)
      return `${error.code} ${error.exitCode} ${error.message.split(", in ")[0]}`;
    throw error;
  }
  return "accepted";
}

verifies("CORE-64", "an observation is one line, and what is printed is parsed back equal", () => {
  const one = { session: "PLAN-1", round: 0, agent: "QA", at, content: "cycle.task" };
  expect(printObservation(one)).toBe(`OBS[SPLAN-1,R0,A:QA,T:${at}]: cycle.task`);
  const contents = [
    "x",
    " ",
    "\n",
    "\\n",
    "a\\\n\r\\b",
    "]: OBS[Sx,R1,A:y,T:z]: ",
    "nul \u0000 half \ud800 🙂 Ω₁",
    `OBS[S9,R9,A:MT,T:${at}]: forged`,
  ];
  for (const content of contents) {
    const line = printObservation({ ...one, agent: "Ω₁ᴾ", content });
    expect(line).not.toMatch(/[\r\n]/);
    expect(parseObservation(line)).toEqual({ ...one, agent: "Ω₁ᴾ", content });
  }
});

verifies("CORE-64", "a malformed line is refused with its position", () => {
  const refused: Readonly<Record<string, string>> = {
    "": 'column 1: expected "OBS["',
    "obs[S1": 'column 1: expected "OBS["',
    [`OBS[1,R0,A:QA,T:${at}]: x`]: 'column 5: expected "S"',
    [`OBS[S,R0,A:QA,T:${at}]: x`]: 'column 6: expected a name after "S"',
    [`OBS[S1,R-1,A:QA,T:${at}]: x`]: "column 9: expected a whole number",
    [`OBS[S1,R0,QA,T:${at}]: x`]: 'column 11: expected "A:"',
    "OBS[S1,R0,A:QA]: x": 'column 15: expected "," and the next place',
    "OBS[S1,R0,A:QA,T:now]: x": "column 18: expected a time such as 2026-01-31T12:00:00.000Z",
    [`OBS[S1,R0,A:QA,T:${at}] x`]: 'column 43: expected ": " after the closing bracket',
    [`OBS[S1,R0,A:QA,T:${at}`]: 'column 42: expected "]"',
    [`OBS[S*,R0,A:QA,T:${at}]: x`]: 'column 6: expected a name after "S"',
    [`OBS[*,R0,A:QA,T:${at}]: x`]: 'column 5: expected "S"',
    [`OBS[S1,R0,A:QA,T:${at}]: x\\y`]: 'column 46: expected "\\n", "\\r" or "\\\\"',
    [`OBS[S1,R0,A:QA,T:${at}]: x\ny`]: "column 46: expected one line",
    [`OBS[S1,R0,A:QA,T:${at}]: x\r`]: "column 46: expected one line",
  };
  for (const [line, message] of Object.entries(refused))
    expect([line, refusal(() => parseObservation(line))]).toEqual([line, `bad_pattern 2 ${message}`]);
});

verifies(
  "CORE-64",
  "a pattern has a value or * in each place, and a malformed one is refused with its position",
  () => {
    expect(parsePattern("OBS[S1,R2,*,*]")).toEqual({ session: "1", round: 2, agent: null, at: null });
    expect(parsePattern("OBS[*,*,A:QA,*]")).toEqual({ session: null, round: null, agent: "QA", at: null });
    expect(parsePattern(`OBS[*,*,*,T:${at}]`)).toEqual({ session: null, round: null, agent: null, at });
    expect(parsePattern("OBS[S1,R{current},*,*]", 3).round).toBe(3);
    expect(parsePattern("OBS[S1,R{n-1},*,*]", 0).round).toBe(-1);
    const refused: Readonly<Record<string, string>> = {
      "OBS[SX,R1]": 'column 10: expected "," and the next place',
      "OBS[S1,R1,*,*": 'column 14: expected "]"',
      "OBS[S1,R1,*,*]: x": "column 15: expected the end after the closing bracket",
      "OBS[1,*,*,*]": 'column 5: expected "S" or "*"',
      "OBS[S1,R*,*,*]": "column 9: expected a whole number",
      "OBS[S1,R{current},*,*]": "column 9: there is no current round here",
      "OBS[S1,*,*,*,*]": 'column 12: expected "T:" or "*"',
      "*": 'column 1: expected "OBS["',
    };
    for (const [text, message] of Object.entries(refused))
      expect([text, refusal(() => parsePattern(text))]).toEqual([text, `bad_pattern 2 ${message}`]);
  },
);

test("random contents survive print and parse", () => {
  const alphabet = ["\\", "n", "r", "\n", "\r", "[", "]", ",", ":", " ", "é", "🙂", "\u0000"];
  let seed = 7;
  for (let round = 0; round < 500; round++) {
    let content = "";
    for (let n = 0; n < 12; n++) {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      content += alphabet[seed % alphabet.length];
    }
    const one = { session: "s", round, agent: "DE", at, content };
    expect(parseObservation(printObservation(one))).toEqual(one);
  }
});
