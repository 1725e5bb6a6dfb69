import { expect, test } from "vitest";
import { saidWindow } from "./said-window.ts";

const secret = "planted-value/4711-and-more";

test("messages and tool calls come in order, each once", () => {
  const window = saidWindow([]);
  window.add({ kind: "says", text: "I look at the tests." });
  window.add({ kind: "uses", text: "Bash npm test" });
  window.add({ kind: "prints", text: "ok 1\n" });
  window.add({ kind: "prints", text: "ok 2\n" });
  expect(window.take(false)).toEqual([
    { kind: "says", text: "I look at the tests.\n" },
    { kind: "uses", text: "Bash npm test" },
    { kind: "prints", text: "ok 1\nok 2\n" },
  ]);
  expect([window.isFull, window.take(false)]).toEqual([false, []]);
});

test("a secret that two messages share is masked, and its start is not shown before", () => {
  const window = saidWindow([secret]);
  window.add({ kind: "prints", text: `it is\n  ${secret.slice(0, 13)}\n` });
  expect(window.take(false)).toEqual([{ kind: "prints", text: "it is\n  " }]);
  window.add({ kind: "uses", text: `Bash echo ${secret}` });
  window.add({ kind: "prints", text: `  ${secret.slice(13)} and more\n` });
  expect(window.take(false)).toEqual([
    { kind: "prints", text: "[secret]" },
    { kind: "uses", text: "Bash echo [secret]" },
    { kind: "prints", text: " and more\n" },
  ]);
});

test("the lines of a private key stay masked when they come one by one", () => {
  const window = saidWindow([]);
  const lines = [
    "-----BEGIN PRIVATE KEY-----",
    "MIIBVQIBADANBgkqhkiG9w0B",
    "AQEFAASCAT8wggE7",
    "-----END PRIVATE KEY-----",
  ];
  const shown = lines.flatMap((line) => {
    window.add({ kind: "prints", text: `${line}\n` });
    return window.take(false);
  });
  expect(shown).toEqual([
    { kind: "prints", text: "[secret]" },
    { kind: "prints", text: "\n" },
  ]);
});

test("what waits for the rest of a secret is given at the end", () => {
  const window = saidWindow([secret]);
  window.add({ kind: "says", text: "plant" });
  expect([window.take(false), window.take(true)]).toEqual([[], [{ kind: "says", text: "plant\n" }]]);
});

test("of 100 MB only the newest part is kept, and what is left out is counted", () => {
  const window = saidWindow([secret]);
  const line = `${"x".repeat(999)}\n`;
  for (let count = 0; count < 100_000; count++) window.add({ kind: "prints", text: line });
  const left = window.takeLeft();
  const shown = window.take(false).reduce((sum, { text }) => sum + text.length, 0);
  expect(left + shown).toBe(100_000_000);
  expect(shown).toBeLessThanOrEqual(64 << 10);
});
