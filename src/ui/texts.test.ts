import { expect, test } from "vitest";
import { maxPartBytes, partOf } from "./texts.ts";

test("a short text is sent whole", () => {
  const text = "héllo <b>\u001b[31m";
  expect(partOf(Buffer.from(text), 0)).toEqual({ text, total: 15, from: 0, to: 15 });
});

test("a long text is sent in parts that join without a broken character", () => {
  const text = "a€".repeat(600_000);
  const bytes = Buffer.from(text);
  const parts = [];
  for (let from = 0; from < bytes.length;) {
    const part = partOf(bytes, from);
    parts.push(part);
    from = part.to;
  }
  expect(parts.length).toBe(Math.ceil(bytes.length / maxPartBytes));
  expect(parts.map((part) => part.text).join("")).toBe(text);
  expect(parts.every(({ text: one }) => !one.includes("\ufffd"))).toBe(true);
});

test("a place outside of the text gives an empty part", () => {
  expect(partOf(Buffer.from("abc"), 99)).toEqual({ text: "", total: 3, from: 3, to: 3 });
  expect(partOf(Buffer.from("abc"), -1)).toMatchObject({ text: "abc", from: 0 });
});
