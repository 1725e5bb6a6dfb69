import { describe, expect, test } from "vitest";
import { load, problemsOf, protocolText } from "../fixtures/sources.ts";

/** The states of each loop that is not bounded; `work` and `prove` are there, `more` states beside them. */
function loops({
  counters,
  fail,
  more = "",
  work = "",
}: {
  counters: string;
  fail: string;
  more?: string;
  work?: string;
}) {
  const text = `
    start: work
    counters: {${counters}}
    states:
      work: {dispatch: coder, reports: [DONE], on: {DONE: prove}${work}}
      prove: {check: tests, on: {pass: ^complete, fail: ${fail}}}${more === "" ? "" : `\n      ${more}`}`;
  return problemsOf(load("p", { p: protocolText(text) })).flatMap(({ code, message, state }) =>
    code === "unbounded_loop" ? [[state, message.replace(" without a counter that ends it", "")]] : [],
  );
}

const tries = "tries: {limit: 3, over: trouble}";
const round = [["work", "work, prove can go round"]];

describe("a loop is bounded", () => {
  test("by a counter that is counted in it", () => {
    expect(loops({ counters: tries, fail: "{to: work, do: [{count: tries}]}" })).toEqual([]);
    expect(loops({ counters: tries, fail: "work" })).toEqual(round);
  });

  test("by a person who is asked in it", () => {
    expect(loops({ counters: "", fail: "sure", more: 'sure: {ask: Again?, on: {"yes": work}}' })).toEqual([]);
  });

  test("not by the round, nor by a counter of equal failures", () => {
    expect(loops({ counters: "", fail: "{to: work, do: [{count: r}]}" })).toEqual(round);
    const same = "same: {limit: 2, same: true, over: trouble}";
    expect(loops({ counters: same, fail: "{to: work, do: [{count: same}]}" })).toEqual(round);
  });

  test("not by a counter that is forgotten in another state, unless the state repeats itself", () => {
    const visit = "tries: {limit: 3, scope: visit, over: trouble}";
    expect(loops({ counters: visit, fail: "{to: work, do: [{count: tries}]}" })).toEqual(round);
    expect(loops({ counters: visit, fail: "{to: self, do: [{count: tries}]}" })).toEqual([]);
    expect(
      loops({
        counters: visit,
        fail: "sure",
        work: ", errors: {TO: self}",
        more: "sure: {ask: X, on: {stop: ^failed}}",
      }),
    ).toEqual([["work", "work can repeat"]]);
  });

  test("not by a counter that the loop itself resets", () => {
    expect(loops({ counters: tries, fail: "{to: work, do: [{count: tries}, {reset: tries}]}" })).toEqual(
      round,
    );
  });

  test("where an outer loop that is counted resets the inner one, not where each resets the other", () => {
    const two = `${tries}, rounds: {limit: 2, over: trouble}`;
    const review = (route: string) =>
      `review: {dispatch: reader, reports: [OK, BAD], on: {OK: ^complete, BAD: ${route}}}`;
    const inner = (reset: string) => `{to: work, do: [{count: tries}${reset}]}, inconclusive: review`;
    expect(
      loops({
        counters: two,
        fail: inner(""),
        more: review("{to: work, do: [{reset: tries}, {count: rounds}]}"),
      }),
    ).toEqual([]);
    expect(
      loops({
        counters: two,
        fail: inner(", {reset: rounds}"),
        more: review("{to: work, do: [{reset: tries}, {count: rounds}]}"),
      }),
    ).toEqual([["work", "work, prove, review can go round"]]);
  });

  test("not where the way of a used-up counter leads back into the loop, unless that is counted too", () => {
    const fail = "{to: work, do: [{count: tries}]}";
    expect(loops({ counters: "tries: {limit: 3, over: work}", fail })).toEqual(round);
    expect(
      loops({
        counters:
          "tries: {limit: 3, over: {to: work, do: [{count: rounds}]}}, rounds: {limit: 2, over: ^failed}",
        fail,
      }),
    ).toEqual([]);
  });

  test("also through the regions of a parallel, and inside one", () => {
    const both = (inside: string, join: string) => `both:
        parallel:
          look: {dispatch: reader, reports: [OK, BAD], on: {OK: ^ok, BAD: ${inside}}}
        join: [ok]
        on: {ok: ${join}}`;
    expect(loops({ counters: tries, fail: "both", more: both("^ok", "work") })).toEqual([
      ["work", "work, prove, both, both/look/look can go round"],
    ]);
    expect(
      loops({ counters: tries, fail: "both", more: both("^ok", "{to: work, do: [{count: tries}]}") }),
    ).toEqual([]);
    expect(
      loops({ counters: tries, fail: "both", more: both("self", "{to: work, do: [{count: tries}]}") }),
    ).toEqual([["both/look/look", "both/look/look can repeat"]]);
    expect(
      loops({ counters: tries, fail: "empty", more: "empty: {parallel: {}, on: {none: work}}" }),
    ).toEqual([["work", "work, prove, empty can go round"]]);
  });
});
