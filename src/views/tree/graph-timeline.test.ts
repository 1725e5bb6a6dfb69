import { expect, test } from "vitest";
import type { Command, DispatchCommand } from "../../kernel/command.ts";
import type { Recorded, RunEvent } from "../../log/run-event.ts";
import { graphRenderer } from "./graph-timeline.ts";
import { emptyView, foldView } from "../../log/run-view.ts";

const commit = "0123456789abcdef";
const common = { counters: {}, round: 0, causes: [] };
const impl: DispatchCommand = {
  ...common,
  type: "dispatch",
  key: "work/children/children/parse/impl#1",
  frame: "work/children/children/parse",
  path: "work/children/children/parse/impl",
  state: "impl",
  phase: "Impl",
  counters: { attempt: { value: 2, limit: 5 } },
  role: "impl",
  reports: [],
  sees: [],
  thread: { type: "fresh" },
  params: [],
};
const judge: DispatchCommand = { ...impl, key: "judge#1", state: "judge", phase: "TDD", mode: "ReviewImpl" };

const tree: readonly RunEvent[] = [
  { type: "node.began", node: "receipt", item: "", spec: "", parentContext: null, base: commit },
  issued({ ...impl, key: "scaffold#1", frame: "main", state: "scaffold", phase: "Scaffold" }),
  issued({
    ...common,
    type: "spawn",
    key: "spawn#1",
    frame: "main",
    path: "work",
    state: "children",
    child: impl.frame,
    machine: "node",
    item: "parse",
  }),
  { type: "node.began", node: "receipt--parse", item: "", spec: "", parentContext: null, base: commit },
];

test("an event of a child begins with its node, and its commit stands with its decision", () => {
  expect(
    told([
      issued(impl),
      started(impl),
      {
        type: "commit.made",
        key: impl.key,
        kind: "green",
        commit,
        tree: "",
        parent: "",
        paths: ["src/a.js", "src/b.js", "src/c.js"],
        ref: "",
      },
      { type: "result", key: impl.key, outcome: "TestsPassed", text: "All green\nas told" },
    ]),
  ).toEqual([
    "receipt--parse  Impl starts, attempt 2 of 5",
    "receipt--parse  Impl → TestsPassed: All green (0123456789ab: src/a.js, src/b.js and 1 more)",
  ]);
});

test("who judges a child is its parent's TDD", () => {
  expect(
    told([issued(judge), started(judge), { type: "result", key: judge.key, outcome: "MoreTests.fix_impl" }]),
  ).toEqual(["receipt--parse  TDD of receipt starts", "receipt--parse  TDD of receipt → MoreTests"]);
});

test("a gate that passed says what must pass now, another one why not", () => {
  const check: Command = { ...common, type: "check", ...at("scaffold_gate"), gate: "node_scaffold" };
  const judged = { type: "gate.judged", key: check.key, gate: "node_scaffold", ref: "", findings: ["long"] };
  const locked: RunEvent = {
    type: "node.locked",
    node: "receipt--parse",
    commit,
    files: {},
    required: ["a"],
  };
  expect(
    told([
      issued(check),
      locked,
      { ...judged, type: "gate.judged", verdict: "pass", reasons: [] },
      { ...judged, type: "gate.judged", verdict: "fail", reasons: ["exports: none"] },
      { type: "result", key: check.key, outcome: "fail" },
    ]),
  ).toEqual([
    "receipt--parse  scaffold accepted, 1 test must pass",
    "receipt--parse  scaffold refused\n    - exports: none",
  ]);
});

test("what an ask, a person and a merge say", () => {
  const ask: Command = {
    ...common,
    type: "ask",
    ...at("clarify"),
    text: "The spec is unclear",
    to: "parent",
    as: "waiting",
    shows: [],
    answers: ["answer"],
  };
  const by = { answeredBy: "tty", authenticated: false, who: "kim" } as const;
  expect(
    told([
      issued(ask),
      { type: "result", key: ask.key, outcome: "answer", by, text: "Prices are whole" },
      { type: "node.candidate", node: "receipt--parse", commit, onto: commit },
      {
        type: "node.merged",
        node: "receipt",
        child: "receipt--parse",
        commit,
        event: "",
        files: {},
        required: [],
      },
      { type: "node.merged", node: "base", child: "receipt", commit, event: "", files: {}, required: [] },
      { type: "node.aborted", node: "receipt--parse", frame: impl.frame, reason: "no need", by },
    ]),
  ).toEqual([
    "receipt--parse  asks receipt: The spec is unclear",
    "receipt--parse  answered by kim (tty): Prices are whole",
    "receipt--parse  squash 0123456789ab onto 0123456789ab is verified",
    "receipt--parse  merged into receipt: 0123456789ab",
    "receipt         is the result: 0123456789ab",
    "receipt--parse  aborted by kim (tty): no need",
  ]);
});

test("a run that goes on is told as one that was told from its start", () => {
  const before = recorded([...tree, issued(impl)]);
  const tell = graphRenderer(foldView(emptyView("r1"), before));
  expect(recorded([started(impl)]).map(tell)).toEqual(["receipt--parse  Impl starts, attempt 2 of 5"]);
});

test("nothing of a run without nodes is told here", () => {
  const tell = graphRenderer();
  expect(recorded([issued(impl), started(impl)]).map(tell)).toEqual([undefined, undefined]);
});

function at(state: string) {
  return {
    key: `${impl.frame}/${state}#1`,
    frame: impl.frame,
    path: `${impl.frame}/${state}`,
    state,
    phase: "Scaffold",
  };
}

function issued(command: Command): RunEvent {
  return { type: "command.issued", key: command.key, command };
}

function started({ key, role }: DispatchCommand): RunEvent {
  return {
    type: "dispatch.started",
    key,
    role,
    agent: "scripted",
    vendor: "",
    conversation: "",
    resumed: false,
    workspace: "",
    isolation: "",
    prompt: "",
  };
}

/** What is told after the tree has begun. */
function told(events: readonly RunEvent[]): readonly (string | null | undefined)[] {
  const tell = graphRenderer();
  for (const event of recorded(tree)) tell(event);
  return recorded(events)
    .map(tell)
    .filter((text) => text !== null);
}

function recorded(events: readonly RunEvent[]): readonly Recorded[] {
  return events.map((event, index) => ({ ...event, seq: index + 1, at: "2026-01-01T00:00:00.000Z" }));
}
