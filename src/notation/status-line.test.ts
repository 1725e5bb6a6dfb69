import fc from "fast-check";
import { expect, test } from "vitest";
import { verifies } from "../../test/verifies.ts";
import { AppError } from "../lib/errors.ts";
import { parseStatus, printStatus, readStatusLine, statusCodes } from "./status-line.ts";

/** Any UTF-16 units, also lone surrogates. */
const unit = fc.nat({ max: 0xffff }).map((code) => String.fromCharCode(code));

function refusal(text: string, codes?: readonly string[]): string {
  try {
    parseStatus(text, codes);
  } catch (error) {
    if (error instanceof AppError) return `${error.code}: ${error.message} (${error.hint})`;
    throw error;
  }
  return "accepted";
}

verifies(
  "TDP-70",
  "a response is printed in one form and parsed with spaces, an ASCII arrow and colons in its message",
  () => {
    expect(printStatus({ code: "RC", message: "" })).toBe("→RC");
    expect(printStatus({ code: "RC", message: "three tests: all fail" })).toBe("→RC: three tests: all fail");
    for (const [text, message] of [
      ["→RC", ""],
      ["→RC:", ""],
      ["-> RC", ""],
      [" -> RC: a: b ", "a: b"],
      ["→RC: a → b: c", "a → b: c"],
      ["→RC: first\nsecond\n→GC", "first"],
      ["→RC\r\n: more", ""],
      ["\t→RC:a", "a"],
    ] as const)
      expect([text, parseStatus(text)]).toEqual([text, { code: "RC", message }]);
    for (const code of statusCodes) expect(parseStatus(`→${code}: x`)).toEqual({ code, message: "x" });
    const form = "Write →CODE or →CODE: message, or -> in place of →.";
    expect(refusal("RC")).toBe(`bad_status: "RC" is not a status line (${form})`);
    expect(refusal("→RC PA")).toBe(`bad_status: "→RC PA" is not a status line (${form})`);
    expect(refusal("")).toBe(`bad_status: "" is not a status line (${form})`);
    expect(refusal("it says →RC")).toBe(`bad_status: "it says →RC" is not a status line (${form})`);
    const codes = statusCodes.join(", ");
    expect(refusal("→rc: x")).toBe(
      `unknown_status: "rc" is not a status code, in "→rc: x" (Did you mean RC? The codes are ${codes}.)`,
    );
    expect(refusal("→XXXX")).toBe(
      `unknown_status: "XXXX" is not a status code, in "→XXXX" (The codes are ${codes}.)`,
    );
    expect(refusal("→constructor")).toMatch(/^unknown_status: "constructor"/u);
    fc.assert(
      fc.property(fc.constantFrom(...statusCodes), fc.string({ unit }), (code, text) => {
        const message = text.replace(/[\n\r]/gu, "").trim();
        expect(parseStatus(printStatus({ code, message }))).toEqual({ code, message });
        refusal(text);
      }),
      { numRuns: 500 },
    );
  },
);

test("the accepted codes can be limited to those of a state", () => {
  expect(parseStatus("→PC", ["PC"])).toEqual({ code: "PC", message: "" });
  expect(refusal("→PA", ["PC"])).toContain("The codes are PC.");
});

test("a message with line breaks is printed on one line and contains no second status line", () => {
  const printed = printStatus({ code: "NR", message: "no\r\n→PA\n\n: yes " });
  expect(printed).toBe("→NR: no →PA : yes");
  expect(readStatusLine(printed)).toEqual({ code: "NR", message: "no →PA : yes" });
});
