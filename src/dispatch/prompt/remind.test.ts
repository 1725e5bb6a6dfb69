import { expect, test } from "vitest";
import { load, protocolText } from "../../protocol/fixtures/sources.ts";
import { reminderFor, remindersOf } from "./remind.ts";

const prompt = { text: "the whole prompt", codes: "GC, BL" };

test("a reminder has its sentence, why a decision was refused, and the codes", () => {
  expect(reminderFor({ remembers: true }, prompt, null)).toBe(
    "REMINDER: Emit a decision to complete this phase\n\nGC, BL",
  );
  const refusal = {
    type: "refused",
    code: "bad_payload",
    why: "payload.plan: too short",
    field: "payload.plan",
  } as const;
  expect(reminderFor({ remembers: true }, prompt, refusal)).toBe(
    "REMINDER: Emit a decision to complete this phase\n\nRefused: payload.plan: too short\n\nGC, BL",
  );
});

test("an agent without memory gets the whole prompt again", () => {
  expect(reminderFor({ remembers: false }, prompt, null)).toBe(
    "the whole prompt\n\nREMINDER: Emit a decision to complete this phase\n\nGC, BL",
  );
});

test("the default is one reminder; a protocol or a role can set another number", () => {
  const main = "    start: a\n    states: {a: {dispatch: coder, reports: [A], on: {A: a}}}";
  const counts = (more: string, role: string) => {
    const text = protocolText(main, more).replace("template: code}", `template: code${role}}`);
    const protocol = load("p", { p: text });
    return ["coder", "reader"].map((name) => remindersOf(protocol, name));
  };
  expect(counts("", "")).toEqual([1, 1]);
  expect(counts("reminders: 4", "")).toEqual([4, 4]);
  expect(counts("reminders: 4", ", reminders: 2")).toEqual([2, 4]);
  expect(counts("", ", reminders: 10")).toEqual([10, 1]);
});
