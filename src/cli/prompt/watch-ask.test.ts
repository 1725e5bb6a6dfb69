import { expect, test } from "vitest";
import type { Recorded } from "../../log/run-event.ts";
import { whatHappened } from "./watch-ask.ts";

const by = { answeredBy: "page", authenticated: true, who: "hana" } as const;
const ask = { key: "plan#1", question: "Q2" };
const cancel = { type: "cancel", key: "cancel#1", target: "plan#1" };

test.each([
  [{ type: "result", key: "plan#1", outcome: "approve", by }, "hana (page) answered: approve"],
  [{ type: "result", key: "plan#1", outcome: "changed" }, "a person answered: changed"],
  [{ type: "result", key: "plan#2", outcome: "approve", by }, null],
  [{ type: "question.answered", id: "Q2", text: "x", by }, "hana (page) answered Q2"],
  [{ type: "question.answered", id: "Q1", text: "x", by }, null],
  [{ type: "base.accepted", failing: [], count: 1, by }, null],
  [{ type: "run.paused", by }, "hana (page) paused the run"],
  [{ type: "run.aborted", reason: "", by }, "hana (page) aborted the run"],
  [{ type: "command.issued", key: "cancel#1", command: cancel }, "the run no longer waits for this"],
  [{ type: "command.issued", key: "cancel#1", command: { ...cancel, target: "plan#2" } }, null],
  [{ type: "agent.said", key: "coder#1", ref: "" }, null],
])("%j means %j for who types an answer", (event, what) => {
  expect(whatHappened({ seq: 1, at: "", ...event } as Recorded, ask)).toBe(what);
});
