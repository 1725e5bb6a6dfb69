import { describe, expect, test } from "vitest";
import { build, type MachineText } from "./fixtures/build.ts";
import { play, type Play } from "./fixtures/play.ts";

const errors = { ME: "^failed", TO: "^failed", EX: "^failed", BL: "^failed", abort: "^halted" };

const child: MachineText = {
  start: "code",
  errors,
  events: {
    merged: {
      start: "rebase",
      states: {
        rebase: { rebase: "onto", on: { clean: "resume", repair: "repair", broken: "code" } },
        repair: {
          dispatch: "rebaser",
          on: { FIXED: "resume", CONFLICT: "code", ASK: "person", OUT: "^failed" },
        },
      },
    },
  },
  states: {
    code: { dispatch: "coder", on: { DONE: "verify", PARTS: "parts" } },
    verify: { check: "gate", on: { pass: "merge", fail: "code" } },
    merge: {
      merge: "publish",
      lock: "merging",
      on: {
        done: { to: "^merged", do: [{ emit: "merged", to: "siblings" }] },
        moved: "merge",
        rejected: "code",
      },
    },
    parts: {
      parallel: {
        left: { dispatch: "l", on: { DONE: "^ok" } },
        right: { dispatch: "r", on: { DONE: "^ok", AGAIN: "r2" } },
      },
      join: ["ok"],
      on: { ok: "verify" },
    },
    r2: { dispatch: "r2", on: { DONE: "verify" } },
    person: { ask: "Look", on: { again: "back" } },
  },
};
const main: MachineText = {
  start: "plan",
  errors,
  states: {
    plan: { dispatch: "planner", on: { PLAN: "all" } },
    all: {
      each: "parts",
      join: ["failed", "halted", "merged"],
      on: { merged: "^complete", failed: "^failed", halted: "^failed", none: "^complete" },
    },
  },
};
const protocol = build(
  { main, child },
  { onto: ["clean", "repair", "broken"], publish: ["done", "moved", "rejected"] },
);

function children(...ids: readonly string[]): Play {
  const run = play(protocol);
  run.answer("plan", "PLAN", { items: ids.map((id) => ({ id, hash: id })) });
  return run;
}
function toMerge(run: Play, id: string): void {
  run.answer(`${id}/code`, "DONE");
  run.answer(`${id}/verify`, "pass");
}

describe("an event", () => {
  test("waits until no operation of its frame is open, and is handled before the next one starts", () => {
    const run = children("a", "b");
    toMerge(run, "a");
    run.answer("a/merge", "done", { payload: "sha256:merged" });
    expect(run.open()).toEqual(["all/b/code"]);
    run.answer("b/code", "DONE", { payload: "sha256:code" });
    expect(run.latest()).toEqual([
      expect.objectContaining({
        type: "rebase",
        path: "all/b/merged/rebase",
        causes: [{ key: "all/a/merge#1", path: "all/a/merge", outcome: "done", payload: "sha256:merged" }],
      }),
    ]);
    run.answer("rebase", "clean");
    expect(run.latest()).toEqual([
      expect.objectContaining({
        key: "all/b/verify#1",
        causes: [expect.objectContaining({ payload: "sha256:code" })],
      }),
    ]);
  });

  test("may lead to a state of the machine, which drops parked work", () => {
    const run = children("a", "b");
    toMerge(run, "a");
    run.answer("a/merge", "done");
    run.answer("b/code", "DONE");
    run.answer("rebase", "repair");
    run.answer("repair", "CONFLICT");
    expect(run.open()).toEqual(["all/b/code"]);
    run.answer("b/code", "DONE");
    expect(run.open()).toEqual(["all/b/verify"]);
  });

  test("may ask in its handler, and continues from there", () => {
    const run = children("a", "b");
    toMerge(run, "a");
    run.answer("a/merge", "done");
    run.answer("b/code", "DONE");
    run.answer("rebase", "repair");
    run.answer("repair", "ASK");
    expect(run.open()).toEqual(["all/b/merged/person"]);
    run.answer("person", "again");
    expect(run.open()).toEqual(["all/b/merged/repair"]);
    run.answer("repair", "FIXED");
    expect(run.open()).toEqual(["all/b/verify"]);
  });

  test("may end its frame from the handler", () => {
    const run = children("a", "b");
    toMerge(run, "a");
    run.answer("a/merge", "done");
    run.answer("b/code", "DONE");
    run.answer("rebase", "repair");
    run.answer("repair", "OUT");
    expect(run.latest()).toEqual([expect.objectContaining({ type: "finish", outcome: "failed" })]);
  });

  test("parks every region, then lets all of them continue", () => {
    const run = children("a", "b");
    run.answer("b/code", "PARTS");
    toMerge(run, "a");
    run.answer("a/merge", "done");
    run.answer("right", "AGAIN");
    expect(run.open()).toEqual(["all/b/merged/rebase"]);
    run.answer("rebase", "clean");
    expect(run.open()).toEqual(["all/b/r2"]);
  });

  test("is handled at once by a frame that waits for a lock, and the queue of the lock keeps its order", () => {
    const run = children("a", "b", "c");
    for (const id of ["b", "a", "c"]) toMerge(run, id);
    expect(run.open()).toEqual(["all/b/merge"]);
    run.answer("b/merge", "done");
    expect(run.open()).toEqual(["all/a/merged/rebase", "all/c/merged/rebase"]);
    run.answer("c/merged/rebase", "clean");
    expect(run.open()).toEqual(["all/a/merged/rebase"]);
    run.answer("a/merged/rebase", "clean");
    expect(run.open()).toEqual(["all/a/merge"]);
    run.answer("a/merge", "done");
    run.answer("c/merged/rebase", "clean");
    run.answer("c/merge", "done");
    expect(run.latest()).toEqual([expect.objectContaining({ type: "finish", outcome: "complete" })]);
  });

  test("is handled once per emission, first in, first out", () => {
    const run = children("a", "b", "c");
    toMerge(run, "a");
    run.answer("a/merge", "done", { payload: "sha256:a" });
    run.answer("b/code", "DONE");
    run.answer("b/merged/rebase", "clean");
    run.answer("b/verify", "pass");
    run.answer("b/merge", "done", { payload: "sha256:b" });
    run.answer("c/code", "DONE");
    expect(run.latest().map((command) => command.causes.map((cause) => cause.payload))).toEqual([
      ["sha256:a"],
    ]);
    run.answer("c/merged/rebase", "clean");
    expect(run.latest().map((command) => command.causes.map((cause) => cause.payload))).toEqual([
      ["sha256:b"],
    ]);
    run.answer("c/merged/rebase", "clean");
    expect(run.open()).toEqual(["all/c/verify"]);
  });

  test("is dropped if there is no handler", () => {
    const run = children("a");
    expect(run.send({ type: "signal", event: "unheard", frame: "all/a" })).toBe(null);
    run.answer("a/code", "DONE");
    expect(run.open()).toEqual(["all/a/verify"]);
    expect(run.state().frames["all/a"]?.mailbox).toEqual([]);
  });

  test("from outside is handled by the current state before the machine", () => {
    const machine: MachineText = {
      start: "audit",
      errors,
      events: { design_changed: "start_over" },
      states: {
        audit: { dispatch: "auditor", on: { ACCEPT: "plan" } },
        plan: {
          dispatch: "planner",
          events: { design_changed: { to: "audit", do: [{ note: "design changed" }] } },
          on: { PC: "critic" },
        },
        critic: { dispatch: "critic", on: { PA: "^complete" } },
        start_over: { dispatch: "designer", on: { PC: "audit" } },
      },
    };
    const run = play(build({ main: machine }));
    run.answer("audit", "ACCEPT");
    run.send({ type: "signal", event: "design_changed" });
    expect(run.open()).toEqual(["plan"]);
    run.answer("plan", "PC");
    expect(run.open()).toEqual(["start_over"]);
    run.answer("start_over", "PC");
    expect(run.open()).toEqual(["audit"]);
  });

  test("that interrupts stops running work and replaces a list", () => {
    const run = play(
      build({
        main: {
          start: "plan",
          errors,
          states: {
            plan: { dispatch: "planner", events: { design_changed: "audit" }, on: { PC: "^complete" } },
            audit: { each: "modules", min: 1, machine: "one", join: ["OK"], on: { OK: "plan" } },
          },
        },
        one: { start: "look", errors, states: { look: { dispatch: "auditor", on: { OK: "^OK" } } } },
      }),
    );
    const items = [{ id: "a", hash: "1" }];
    const interrupts = true;
    expect(run.send({ type: "signal", event: "unheard", interrupts })).toBe(null);
    expect(run.open()).toEqual(["plan"]);
    run.send({ type: "signal", event: "design_changed", interrupts, items, list: "modules" });
    expect(run.latest()).toContainEqual(expect.objectContaining({ type: "cancel", target: "plan#1" }));
    expect(run.open()).toEqual(["audit/a/look"]);
  });

  test("is handled at once during an ask, since no work runs there", () => {
    const machine: MachineText = {
      start: "wait",
      errors,
      states: {
        wait: {
          ask: "Approve",
          events: { changed: { to: "review", do: [{ note: "changed" }] } },
          on: { approve: "^complete" },
        },
        review: { dispatch: "reviewer", on: { OK: "wait" } },
      },
    };
    const run = play(build({ main: machine }));
    run.send({ type: "signal", event: "changed" });
    expect(run.latest()).toEqual([
      expect.objectContaining({ type: "cancel", target: "wait#1" }),
      expect.objectContaining({ type: "dispatch", key: "review#1" }),
    ]);
  });
});

describe("a lock", () => {
  test("lets one child at a time into its states, first come first served", () => {
    const run = children("a", "b", "c");
    for (const id of ["c", "a", "b"]) toMerge(run, id);
    expect(run.open()).toEqual(["all/c/merge"]);
    run.answer("c/merge", "moved");
    expect(run.open()).toEqual(["all/c/merge"]);
    run.answer("c/merge", "rejected");
    expect(run.open()).toEqual(["all/c/code", "all/a/merge"]);
    toMerge(run, "c");
    run.answer("a/merge", "rejected");
    expect(run.open()).toEqual(["all/a/code", "all/b/merge"]);
  });

  test("is free again when its holder is aborted", () => {
    const run = children("a", "b");
    toMerge(run, "a");
    toMerge(run, "b");
    run.send({ type: "abort", frame: "all/a" });
    expect(run.open()).toEqual(["all/b/merge"]);
  });
});
