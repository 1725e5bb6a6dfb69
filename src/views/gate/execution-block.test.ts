import { expect, test } from "vitest";
import { columnsOf } from "../../lib/columns.ts";
import { verifies } from "../../../test/verifies.ts";
import { lastLines } from "../../lib/text.ts";
import { sampleRecord } from "../../evidence/fixtures/record.ts";
import { containsBlock, renderExecutionBlock } from "./execution-block.ts";
import { parseExecutionBlock } from "../../../test/support/parse-block.ts";

verifies(
  "ORC-86",
  "A block has title, command, at least ten last lines, exit code and time, in the seed's frame",
  () => {
    const record = sampleRecord({ lastLines: ["3 passed"] });
    expect(renderExecutionBlock(record)).toBe(
      [
        "┌───────────────────────────────────────────────────┐",
        "│ EXECUTION_BLOCK                                   │",
        "├───────────────────────────────────────────────────┤",
        "│ $ /usr/bin/node node_modules/vitest/vitest.mjs run│",
        "│ 3 passed                                          │",
        "│ EXIT_CODE: 0                                      │",
        "│ [TIMESTAMP: 2026-03-02 00:00:01]                  │",
        "└───────────────────────────────────────────────────┘",
      ].join("\n"),
    );
    for (const [count, shown] of [
      [0, 0],
      [3, 3],
      [10, 10],
      [5000, 10],
    ] as const) {
      const output = Array.from({ length: count }, (_, index) => `line ${index + 1} │ EXIT_CODE: 0\n`).join(
        "",
      );
      const kept = lastLines(output, 200);
      const block = parseExecutionBlock(
        renderExecutionBlock(sampleRecord({ lastLines: [...kept], exitCode: 1 })),
      );
      expect(block).toEqual({
        command: "/usr/bin/node node_modules/vitest/vitest.mjs run",
        lines: shown === 0 ? [] : kept.slice(-shown),
        exit: "1",
        timestamp: "2026-03-02 00:00:01",
        inner: [],
      });
      expect(block?.lines).toHaveLength(shown);
    }
  },
);

verifies("ORC-87", "A block shows clean, shortened, wide and killed output, in local time", () => {
  const wide = "x".repeat(400);
  const long = `é${"y".repeat(5000)}`;
  const record = sampleRecord({
    title: "mettle gate green",
    lastLines: ["\u001b[31m✗ red\u001b[0m\u0007", wide, long, "token [secret]"],
    exitCode: null,
    signal: "SIGKILL",
    offsetMinutes: -330,
  });
  const block = parseExecutionBlock(renderExecutionBlock(record));
  expect(block).toEqual({
    command: "mettle gate green",
    lines: ["✗ red", wide, `é${"y".repeat(4094)}… [line of 5002 bytes]`, "token [secret]"],
    exit: "137 (SIGKILL)",
    timestamp: "2026-03-01 17:30:01",
    inner: [],
  });
  expect(record.lastLines[2]).toBe(long);
  const elsewhere = parseExecutionBlock(renderExecutionBlock({ ...record, offsetMinutes: 540 }));
  expect(elsewhere).toMatchObject({ timestamp: "2026-03-02 08:00:01", exit: "137 (SIGKILL)" });
  expect(elsewhere?.lines[1]).toBe(wide);
});

const odd = [
  `${"x".repeat(299)}y`,
  "日本語のテスト".repeat(20),
  "✅ passes, 👩‍👩‍👧 e\u0301 too",
  `${"two words  ".repeat(30)}end`,
  "↪ no next row",
  `  ${"indented ".repeat(12)}`,
  "│",
];

test("a block is a whole frame at every width, and is read back as it was (part of SEE-02)", () => {
  const inner = sampleRecord({ id: "r1/2", title: "node --test", lastLines: odd });
  const outer = sampleRecord({ id: "r1/3", title: "gate", inner: ["r1/2"], lastLines: odd });
  for (const columns of [40, 47, 80, 120, 200]) {
    const text = renderExecutionBlock(outer, { inner: [inner], columns });
    const lines = text.split("\n");
    expect(new Set(lines.map(columnsOf))).toEqual(new Set([columns]));
    expect(lines.filter((line) => !/^[│┌├└].*[│┐┤┘]$/u.test(line))).toEqual([]);
    // The block inside has no frame of its own.
    expect(lines.filter((line) => /[┌└├]/u.test(line))).toHaveLength(3);
    const shown = odd.map((line) => line.trimEnd());
    expect(parseExecutionBlock(text)).toMatchObject({ lines: shown, inner: [{ lines: shown }] });
    expect(containsBlock(text, renderExecutionBlock(outer, { inner: [inner] }))).toBe(true);
  }
  const short = renderExecutionBlock(sampleRecord({ title: "gate", lastLines: ["ok"] }), { columns: 200 });
  expect(columnsOf(short.split("\n")[0] ?? "")).toBe(47);
});

test("the frame of an older version contains the same block, another text does not (fault L3)", () => {
  const long = "y".repeat(90);
  const inner = sampleRecord({ id: "r1/2", title: "node --test", lastLines: [long] });
  const outer = sampleRecord({ id: "r1/3", title: "gate", inner: ["r1/2"], lastLines: ["verdict: pass"] });
  const older = [
    "┌─────────────────────────────────────────────┐",
    "│ EXECUTION_BLOCK                             │",
    "├─────────────────────────────────────────────┤",
    "│ $ gate                                      │",
    "│ ┌──────────────────────────────────────────┐│",
    "│ │ EXECUTION_BLOCK                          ││",
    "│ ├──────────────────────────────────────────┤│",
    "│ │ $ node --test                            ││",
    `│ │ ${long}││`,
    "│ │ EXIT_CODE: 0                             ││",
    "│ │ [TIMESTAMP: 2026-03-02 00:00:01]         ││",
    "│ └──────────────────────────────────────────┘│",
    "│ verdict: pass                               │",
    "│ EXIT_CODE: 0                                │",
    "│ [TIMESTAMP: 2026-03-02 00:00:01]            │",
    "└─────────────────────────────────────────────┘",
  ].join("\n");
  const text = renderExecutionBlock(outer, { inner: [inner] });
  expect(containsBlock(`Before\n${older}\nafter`, text)).toBe(true);
  for (const other of ["verdict: fail", "verdict:  pass", "ver dict: pass", "verdict:pass"])
    expect(containsBlock(older.replace("verdict: pass", other), text)).toBe(false);
});

test("a gate's block contains the block of its test run, each with its own exit code", () => {
  const inner = sampleRecord({ id: "r1/2", title: "node --test", exitCode: 1, lastLines: ["1 failed"] });
  const outer = sampleRecord({
    id: "r1/3",
    title: "mettle gate red",
    inner: ["r1/2"],
    lastLines: ["RED holds"],
  });
  const text = renderExecutionBlock(outer, { inner: [inner, sampleRecord({ id: "r1/1" })] });
  expect(text).toBe(
    [
      "┌─────────────────────────────────────────────┐",
      "│ EXECUTION_BLOCK                             │",
      "├─────────────────────────────────────────────┤",
      "│ $ mettle gate red                           │",
      "│   EXECUTION_BLOCK                           │",
      "│   $ node --test                             │",
      "│   1 failed                                  │",
      "│   EXIT_CODE: 1                              │",
      "│   [TIMESTAMP: 2026-03-02 00:00:01]          │",
      "│ RED holds                                   │",
      "│ EXIT_CODE: 0                                │",
      "│ [TIMESTAMP: 2026-03-02 00:00:01]            │",
      "└─────────────────────────────────────────────┘",
    ].join("\n"),
  );
  expect(parseExecutionBlock(`before\n${text}\nafter`)).toEqual({
    command: "mettle gate red",
    lines: ["RED holds"],
    exit: "0",
    timestamp: "2026-03-02 00:00:01",
    inner: [
      { command: "node --test", lines: ["1 failed"], exit: "1", timestamp: "2026-03-02 00:00:01", inner: [] },
    ],
  });
});

test("output that looks like an end of a block ends nothing", () => {
  const lastLines = [
    "EXIT_CODE: 0",
    "[TIMESTAMP: 1999-01-01 00:00:00]",
    "└─────────────────────────────────────────────┘",
    "┌──┐",
  ];
  const block = parseExecutionBlock(renderExecutionBlock(sampleRecord({ exitCode: 2, lastLines })));
  expect(block).toMatchObject({ exit: "2", lines: lastLines });
});

test("a command is shown as a shell would take it, on one line", () => {
  const argv = ["node", "--test", "a b.js", "it's", "", "two\nlines\u001b[31m"];
  const block = parseExecutionBlock(renderExecutionBlock(sampleRecord({ argv })));
  expect(block?.command).toBe(`node --test 'a b.js' 'it'\\''s' '' $'two\\nlines\\x1b[31m'`);
});

test("more lines are shown on demand, fewer than ten never", () => {
  const lines = Array.from({ length: 40 }, (_, index) => String(index));
  const shown = (wanted: number) =>
    parseExecutionBlock(renderExecutionBlock(sampleRecord({ lastLines: lines }), { lines: wanted }))?.lines
      .length;
  expect([shown(1), shown(10), shown(25), shown(99)]).toEqual([10, 10, 25, 40]);
});

test.each([
  [{ exitCode: 0 }, "0"],
  [{ exitCode: null, signal: "SIGTERM", timedOut: true }, "143 (SIGTERM, timed out)"],
  [{ exitCode: 1, timedOut: true }, "1 (timed out)"],
  [{ exitCode: null, signal: "SIGUSR2" }, "none (SIGUSR2)"],
  [{ exitCode: null }, "none"],
])("%j ends as %s", (end, exit) => {
  expect(parseExecutionBlock(renderExecutionBlock(sampleRecord(end)))?.exit).toBe(exit);
});

test("a text without a whole block is read as none", () => {
  for (const text of [
    "",
    "EXECUTION_BLOCK",
    renderExecutionBlock(sampleRecord()).split("\n").slice(0, -1).join("\n"),
  ]) {
    expect(parseExecutionBlock(text)).toBeNull();
  }
});

test("a command is named from the folder where it ran, and inner blocks have lines of their own", () => {
  const lines = Array.from({ length: 30 }, (_, index) => String(index));
  const inner = sampleRecord({
    id: "r1/2",
    cwd: "/tmp/tree",
    argv: ["node", "--test", "/tmp/tree/test/a.test.js", "/tmp/treetop/b.js"],
    lastLines: lines,
  });
  const outer = sampleRecord({ id: "r1/3", title: "mettle gate red", inner: ["r1/2"], lastLines: lines });
  const block = parseExecutionBlock(
    renderExecutionBlock(outer, { lines: 25, innerLines: 10, inner: [inner] }),
  );
  expect(block?.inner[0]?.command).toBe("node --test test/a.test.js /tmp/treetop/b.js");
  expect([block?.lines.length, block?.inner[0]?.lines.length]).toEqual([25, 10]);
});
