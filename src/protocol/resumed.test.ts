import { describe, expect, test } from "vitest";
import { load, problemsOf, protocolText, refusal } from "./fixtures/sources.ts";
import { edges } from "./edges.ts";

const main = (events: string, resumed: string) =>
  protocolText(`
    start: work
    ${events}
    states:
      work: {dispatch: coder, reports: [DONE], on: {DONE: prove}}
      prove: {check: tests, on: {pass: read, fail: ^failed}}
      read: {dispatch: reader, reports: [OK], on: {OK: ^complete${resumed}}}
      ask: {ask: Go on?, on: {yes: prove}}`);
const events = `events: {moved: {start: look, states: {look: {check: tests, on: {pass: resume, fail: ask}}}}}`;

describe("a route for `resumed`", () => {
  test("is drawn, and no outcome that must be routed", () => {
    const protocol = load("p", { p: main(events, ", resumed: prove") });
    expect(problemsOf(protocol)).toEqual([]);
    expect(edges(protocol)).toContainEqual({
      machine: "main",
      from: "main:read",
      to: "main:prove",
      label: "resumed",
    });
    expect(problemsOf(load("p", { p: main(events, "") }))).toEqual([]);
  });

  test("is refused where no event can have been handled, and within a handler", () => {
    expect(refusal("p", { p: main(`errors: {BL: ask}`, ", resumed: prove") })).toEqual([
      expect.stringContaining("read routes resumed, an outcome that cannot come"),
    ]);
    const inside = events.replace("pass: resume", "pass: resume, resumed: ask");
    expect(refusal("p", { p: main(inside, "") })).toEqual([
      expect.stringContaining("look routes resumed, an outcome that cannot come"),
    ]);
  });

  test("leads to a state that is reached by it alone, and to `complete` only with a proof", () => {
    const alone = main(events, ", resumed: last").replace(
      "      ask:",
      "      last: {dispatch: coder, reports: [DONE], on: {DONE: ^complete}}\n      ask:",
    );
    expect(
      problemsOf(load("p", { p: alone })).map(({ code, message }) => [code, message.split(": ")[1]]),
    ).toEqual([["unproven_complete", "work DONE, prove pass, read resumed, last DONE"]]);
  });
});
