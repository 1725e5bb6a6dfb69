import { describe, expect, test } from "vitest";
import { load, protocolText } from "./fixtures/sources.ts";
import { readFileSync } from "node:fs";
import { outcomesOf } from "./outcomes.ts";
import { allSpots } from "./levels.ts";
import { routeFor } from "./routes.ts";
import type { Protocol } from "./machine.ts";

const allKinds = load("all-kinds", {
  "all-kinds": readFileSync(new URL("fixtures/all-kinds.yaml", import.meta.url), "utf8"),
});

function outcomes(protocol: Protocol, machineName: string, id: string): readonly string[] {
  const machine = protocol.machines[machineName];
  const spot = machine === undefined ? undefined : allSpots(machine).find((each) => each.id === id);
  if (machine === undefined || spot === undefined) throw new Error(`no ${id} in ${machineName}`);
  return outcomesOf(protocol, machine, spot.state);
}

describe("the outcomes of", () => {
  test("a dispatch are its reports, the errors of every agent and the words that errors names", () => {
    expect(outcomes(allKinds, "main", "write")).toEqual([
      "DONE",
      "TI",
      "ME",
      "TO",
      "EX",
      "BL",
      "inconclusive",
      "CF",
    ]);
    expect(outcomes(load("orchestrate"), "main", "plan_review/gemini/gemini")).toEqual([
      "APPROVED",
      "NEEDS_WORK",
      "ME",
      "TO",
      "EX",
      "BL",
      "inconclusive",
      "EX.empty",
      "EX.outside",
      "CF",
    ]);
  });

  test("a dispatch include EN only where it is reported", () => {
    expect(outcomes(load("dptr"), "main", "critic")).toContain("EN");
    expect(outcomes(load("dptr"), "main", "design")).not.toContain("EN");
  });

  test("a check, merge or rebase are its gate's, and inconclusive", () => {
    expect(outcomes(allKinds, "main", "test")).toEqual(["pass", "fail", "fail.quality", "inconclusive"]);
    expect(outcomes(allKinds, "piece", "merge")).toEqual(["ready", "rejected", "inconclusive"]);
    expect(outcomes(allKinds, "piece", "@moved/again")).toEqual(["clean", "repair", "inconclusive"]);
  });

  test("an ask are its answers, a parallel's and each's their joins, none where nothing is there, an end's nothing", () => {
    expect(outcomes(allKinds, "main", "ask_person")).toEqual(["go", "stop"]);
    expect(outcomes(allKinds, "piece", "unsure")).toEqual(["answer"]);
    expect(outcomes(allKinds, "main", "both")).toEqual(["no", "yes"]);
    expect(outcomes(allKinds, "main", "pieces")).toEqual(["merged", "failed", "asked", "none"]);
    expect(outcomes(allKinds, "main", "both/prove/stop")).toEqual([]);
    const empty = load("p", {
      p: protocolText("    start: e\n    states: {e: {parallel: {}, on: {none: ^failed}}}"),
    });
    expect(outcomes(empty, "main", "e")).toEqual(["none"]);
  });
});

describe("the route of an outcome", () => {
  const text = (own: string, machine: string) =>
    protocolText(`
    start: a
    errors: {${machine}}
    states:
      a: {dispatch: coder, reports: [DONE, DONE.well], ${own}}
      s1: {end: failed}
      s2: {end: failed}
      s3: {end: failed}
      s4: {end: failed}`);
  const target = (own: string, machine: string, outcome: string) => {
    const main = load("p", { p: text(own, machine) }).machines["main"];
    const state = main?.states["a"];
    return main && state ? routeFor(main, state, outcome)?.to : undefined;
  };

  test("is the most specific one: the state's with the hint, without, then the machine's", () => {
    const own = "on: {EX: s2, DONE: s1}, errors: {EX.empty: s1}";
    const machine = "EX.empty: s3, EX: s4, CF.full: s3, CF: s4";
    const named = (state: string) => ({ type: "state", state });
    expect(target(own, machine, "EX.empty")).toEqual(named("s1"));
    expect(target(own, machine, "EX.other")).toEqual(named("s2"));
    expect(target(own, machine, "EX")).toEqual(named("s2"));
    expect(target(own, machine, "CF.full")).toEqual(named("s3"));
    expect(target(own, machine, "CF.other")).toEqual(named("s4"));
    expect(target(own, machine, "DONE.well")).toEqual(named("s1"));
    expect(target(own, machine, "toString")).toBeUndefined();
  });
});
