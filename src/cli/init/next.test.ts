import { expect, test } from "vitest";
import { nextSteps } from "./next.ts";

test("the first task is a valid command of the protocol (fault E23)", () => {
  const last = (protocol: string) =>
    nextSteps({
      found: { hasMettle: true, agents: [] },
      shared: [],
      hasCommit: true,
      protocol,
      package: "/p",
    }).at(-1)?.command;
  expect(["orchestrate", "riper", "graph"].map(last)).toEqual([
    "mettle run 'Build a login page'",
    "mettle run --protocol riper 'Build a login page'",
    "mettle run --protocol graph --spec spec.yaml",
  ]);
});
