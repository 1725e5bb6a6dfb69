import { describe, expect, test } from "vitest";
import { AppError } from "../lib/errors.ts";
import {
  aliases,
  findAgent,
  findSpeaker,
  loopOf,
  loops,
  modeOf,
  modes,
  readMode,
  symbolSetOf,
  type SymbolSet,
} from "./modes.ts";

const six = modes.map(({ mode }) => mode);
const ascii = ["O1P", "O2A", "O3P", "O4C", "O5T", "O6V"];

function refusal(text: string, symbolSet: SymbolSet): AppError {
  try {
    readMode(text, symbolSet);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error(`${text} is accepted`);
}

describe("a mode", () => {
  test("is read by its symbol and in ASCII, under both protocols", () => {
    expect(six).toEqual(["Ω₁ᴾ", "Ω₂ᴬ", "Ω₃ᴾ", "Ω₄ᶜ", "Ω₅ᵀ", "Ω₆ⱽ"]);
    for (const symbolSet of ["riper", "dptr"] as const) {
      expect(six.map((mode) => readMode(mode, symbolSet).mode)).toEqual(six);
      expect(ascii.map((name) => readMode(name, symbolSet).mode)).toEqual(six);
      expect([readMode("Ω₅", symbolSet).mode, readMode("O5", symbolSet).mode]).toEqual(["Ω₅ᵀ", "Ω₅ᵀ"]);
    }
  });

  test("is read by dptr's header names, also those of QA and DE", () => {
    const header = ["Ω₁ᴰ", "Ω₁ᶜ", "Ω₂ˢ", "Ω₂ᶜ", "Ω₃ᵍ", "Ω₃ᴱ", "Ω₄ᴿ"];
    const agents = ["Ω₁ᴾ", "Ω₂ᴬ", "Ω₃ᴾ", "Ω₄ᶜ", "QA", "DE", "Ω₆ⱽ"];
    expect(header.map((name) => readMode(name, "dptr").agent)).toEqual(agents);
    expect(
      ["O1D", "O1C", "O2S", "O2C", "O3G", "O3E", "O4R"].map((name) => readMode(name, "dptr").agent),
    ).toEqual(agents);
    expect(readMode("Ω₃ᴱ", "dptr")).toEqual({ mode: "Ω₅ᵀ", agent: "DE" });
    expect(aliases).toMatchObject({ "Ω₃ᴾ": "Ω₂ˢ", QA: "Ω₃ᵍ" });
  });

  test("is the first mode of its loop for a bare name of dptr", () => {
    const first = ["Ω₁ᴾ", "Ω₃ᴾ", "Ω₅ᵀ", "Ω₆ⱽ"];
    expect(["Ω₁", "Ω₂", "Ω₃", "Ω₄"].map((name) => readMode(name, "dptr").mode)).toEqual(first);
    expect(["O1", "O2", "O3", "O4"].map((name) => readMode(name, "dptr").mode)).toEqual(first);
    expect(six.map(loopOf)).toEqual(["Ω₁", "Ω₁", "Ω₂", "Ω₂", "Ω₃", "Ω₄"]);
    expect([modeOf("QA"), loopOf("DE"), loops["Ω₃"]]).toEqual(["Ω₅ᵀ", "Ω₃", "TDD Loop"]);
  });

  test("of dptr's header is refused under riper, with the six modes", () => {
    for (const [name, here] of [
      ["Ω₂ˢ", "Ω₃ᴾ"],
      ["Ω₂", "Ω₃ᴾ"],
      ["O4R", "Ω₆ⱽ"],
      ["Ω₃ᵍ", "QA"],
    ] as const) {
      const { code, hint } = refusal(name, "riper");
      expect([code, hint.startsWith(`that is a name of dptr, here it is ${here}; `)]).toEqual([
        "unknown_mode",
        true,
      ]);
      for (const entry of modes) expect(hint).toContain(`${entry.mode} (${entry.ascii}) ${entry.name}`);
    }
  });

  test.each([
    ["Ω₃ᴾ", "\u2126₃ᴾ"],
    ["Ω₃ᴾ", "Ω₃ᵖ"],
    ["Ω₃ᴾ", "Ω₃P"],
    ["Ω₃ᴾ", "Ω3ᴾ"],
    ["Ω₃ᴾ", "ω₃ᴾ"],
    ["Ω₃ᴾ", " o3p "],
    ["Ω₃ᴾ", "Ω₃\u200bᴾ"],
    ["Ω₄ᶜ", "Ω₄ꟲ"],
    ["Ω₅ᵀ", "Ω₅ᵗ"],
    ["Ω₆ⱽ", "Ω₆ᵛ"],
    ["Ω₆ⱽ", "𝛀₆ⱽ"],
    ["Ω₂ᴬ", "Ω₂ᵃ"],
  ])("%s in other code points is refused with the right ones", (meant, text) => {
    const points = [...meant].map(
      (char) => `U+${char.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}`,
    );
    for (const symbolSet of ["riper", "dptr"] as const) {
      const { code, hint, message } = refusal(text, symbolSet);
      expect([code, message.endsWith(` is not a mode of ${symbolSet}`)]).toEqual(["unknown_mode", true]);
      expect(hint.startsWith(`write ${meant} (${points.join(" ")}); the modes are Ω₁ᴾ (O1P`)).toBe(true);
    }
  });

  test.each(["", "Ω", "Ω₇", "Ω₅ᴿ", "ℜ", "QA", "MT", "constructor", "Ω₁ᴾ\n[]"])("is not %j", (text) => {
    expect(refusal(text, "dptr").code).toBe("unknown_mode");
    expect(refusal(text, "dptr").hint).toContain("Ω₅ᵀ (O5T, Ω₃ᵍ QA, Ω₃ᴱ DE) TDD-Execute");
  });

  test("never passes terminal control characters into a message", () => {
    expect(refusal("Ω\u001b[2J\u202e\u009b", "riper").message).toBe(
      String.raw`"Ω\u001b[2J\u202e\u009b" is not a mode of riper`,
    );
  });
});

test("a protocol uses the symbols of its nearest base, or none", () => {
  expect(symbolSetOf({ name: "orchestrate", bases: ["base"] })).toBeNull();
  expect(symbolSetOf({ name: "dptr", bases: ["base"] })).toBe("dptr");
  expect(symbolSetOf({ name: "mine", bases: ["riper", "dptr", "base"] })).toBe("riper");
});

test("agents are modes, QA and DE; observations can also come from MT", () => {
  expect(["QA", "DE", "O3P", "Ω₃ᵍ", "MT", "qa", ""].map((name) => findAgent(name, "dptr"))).toEqual([
    "QA",
    "DE",
    "Ω₃ᴾ",
    "QA",
    null,
    null,
    null,
  ]);
  expect(["MT", "DE", "O6V", "Ω₂ˢ", "intake"].map((name) => findSpeaker(name, "riper"))).toEqual([
    "MT",
    "DE",
    "Ω₆ⱽ",
    null,
    null,
  ]);
});
