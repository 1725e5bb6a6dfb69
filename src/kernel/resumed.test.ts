import { expect, test } from "vitest";
import { build, type MachineText } from "./fixtures/build.ts";
import { play, type Play } from "./fixtures/play.ts";

const errors = { ME: "^failed", TO: "^failed", EX: "^failed", BL: "person", abort: "^halted" };
const machine: MachineText = {
  start: "verify",
  errors,
  events: {
    moved: {
      start: "rebase",
      states: {
        rebase: { rebase: "gate", on: { pass: "resume", fail: "verify", "fail.quality": "resume" } },
      },
    },
  },
  states: {
    verify: { check: "gate", on: { pass: "judge", fail: "verify", "fail.quality": "verify" } },
    judge: { dispatch: "judge", reports: ["YES"], on: { YES: "publish", resumed: "verify" } },
    publish: { merge: "gate", on: { pass: "^complete", fail: "verify", "fail.quality": "verify" } },
    person: { ask: "Well?", on: { on: "publish", resumed: "verify" } },
  },
};

function judged(): Play {
  const run = play(build({ main: machine }));
  run.answer("verify", "pass", { payload: "sha256:squash" });
  return run;
}

test("a handled event takes the route of the state that names it, else the token continues in its state", () => {
  const run = judged();
  run.send({ type: "signal", event: "moved" });
  run.answer("judge", "YES");
  run.answer("moved/rebase", "pass");
  expect(run.open()).toEqual(["publish"]);
  run.answer("publish", "fail");
  run.send({ type: "signal", event: "moved" });
  run.answer("verify", "pass");
  expect(run.open()).toEqual(["moved/rebase"]);
  run.answer("moved/rebase", "pass", { payload: "sha256:rebased" });
  expect(run.open()).toEqual(["verify"]);
  expect(run.latest()[0]?.causes.map(({ path }) => path)).toEqual(["verify", "moved/rebase"]);
});

test("it cancels a question that the event has answered, and is not an answer itself", () => {
  const run = judged();
  run.answer("judge", "BL");
  expect(run.latest()).toEqual([expect.objectContaining({ type: "ask", answers: ["on"] })]);
  expect(run.send({ type: "result", key: "person#1", outcome: "resumed" })).toBe(
    "resumed is no answer to person#1",
  );
  run.send({ type: "signal", event: "moved" });
  expect(run.open()).toEqual(["person", "moved/rebase"]);
  run.answer("moved/rebase", "pass");
  expect(run.latest().map(({ type, path }) => [type, path])).toEqual([
    ["cancel", "cancel/person"],
    ["check", "verify"],
  ]);
});

test("a handler that goes to another state takes no such route", () => {
  const run = judged();
  run.send({ type: "signal", event: "moved" });
  expect(run.send({ type: "result", key: "judge#1", outcome: "resumed" })).toBe(
    "resumed is no answer to judge#1",
  );
  run.answer("judge", "YES");
  run.answer("moved/rebase", "fail");
  expect(run.open()).toEqual(["verify"]);
});
