import { expect, test } from "vitest";
import type { Command } from "../../kernel/command.ts";
import { commandsToStart } from "./schedule.ts";

const none = {
  counters: {},
  round: 0,
  causes: [],
  reports: [],
  sees: [],
  params: [],
  thread: { type: "fresh" },
};

function dispatch(key: string, role: string, of: Partial<Command> = {}): Command {
  return { type: "dispatch", key, frame: "main", path: key, state: key, role, ...none, ...of } as Command;
}

function check(key: string, of: Partial<Command> = {}): Command {
  return { type: "check", key, frame: "main", path: key, state: key, gate: key, ...none, ...of } as Command;
}

const above = (frame: string) => (frame === "main" ? 0 : 4 * frame.split("/").length);
const keys = (commands: readonly Command[]) => commands.map(({ key }) => key);

test("as many agents start as there are slots, and a busy one holds its slot", () => {
  const open = ["a", "b", "c"].map((key) => dispatch(key, "impl", { phase: "Impl" }));
  expect(keys(commandsToStart(open, { parallel: 2, busy: new Set(), above }))).toEqual(["a", "b"]);
  expect(keys(commandsToStart(open, { parallel: 2, busy: new Set(["a"]), above }))).toEqual(["b"]);
  expect(keys(commandsToStart(open, { parallel: 2, busy: new Set(["a", "b"]), above }))).toEqual([]);
});

test("gates have slots of their own, and what needs none always starts", () => {
  const ask = { ...check("ask"), type: "ask" } as unknown as Command;
  const open = [dispatch("a", "impl"), check("g"), check("h"), ask];
  expect(keys(commandsToStart(open, { parallel: 1, busy: new Set(), above }))).toEqual(["ask", "g", "a"]);
});

test("a scaffold comes first, since a tree may unfold from it, then who has most merges above, then who has more left", () => {
  const open = [
    dispatch("merger", "merger", { phase: "Merger", frame: "main/a" }),
    dispatch("root impl", "impl", { phase: "Impl" }),
    dispatch("tests", "tdd", { phase: "TDD", mode: "WriteTests", frame: "main/a" }),
    dispatch("scaffold", "scaffold", { phase: "Scaffold", frame: "main/b" }),
    dispatch("deep impl", "impl", { phase: "Impl", frame: "main/a/x/y" }),
  ];
  expect(keys(commandsToStart(open, { parallel: 9, busy: new Set(), above }))).toEqual([
    "scaffold",
    "deep impl",
    "tests",
    "merger",
    "root impl",
  ]);
});
