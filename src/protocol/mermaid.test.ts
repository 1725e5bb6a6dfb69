import { describe, expect, test } from "vitest";
import { verifies } from "../../test/verifies.ts";
import { declaredRoutes } from "./declared-routes.ts";
import { load, protocolText } from "./fixtures/sources.ts";
import { edges } from "./edges.ts";
import { toMermaid } from "./mermaid.ts";
import { allSpots } from "./levels.ts";

const names = ["orchestrate", "dptr", "riper", "graph"] as const;

describe("a drawing", () => {
  verifies("CORE-05", "has every state and one solid arrow for every route", () => {
    for (const name of names) {
      const protocol = load(name);
      const lines = toMermaid(protocol)
        .split("\n")
        .map((line) => line.trim());
      const routes = Object.values(protocol.machines).flatMap(declaredRoutes);
      expect(edges(protocol)).toHaveLength(routes.length);
      expect(lines.filter((line) => line.includes("-->"))).toHaveLength(routes.length);
      for (const machine of Object.values(protocol.machines)) {
        for (const { state } of allSpots(machine))
          expect(lines.some((line) => line.includes(`"${state.name}: `))).toBe(true);
      }
    }
  });

  test("declares every node it draws an arrow to, once, and closes every box", () => {
    for (const name of names) {
      const lines = toMermaid(load(name))
        .split("\n")
        .map((line) => line.trim());
      const declared = lines.flatMap((line) => /^(?:subgraph )?(n\d+)(?:\[|\{|\()/.exec(line)?.[1] ?? []);
      expect(declared).toHaveLength(new Set(declared).size);
      const ends = lines.flatMap((line) => {
        const [, from = "", to = ""] =
          /^(n\d+)(?:\(\(start\)\))? (?:-->\|"[^"]*"\||-\.->) (n\d+)$/.exec(line) ?? [];
        return from === "" ? [] : [from, to];
      });
      expect(ends.length).toBeGreaterThan(100);
      expect(ends.filter((id) => !declared.includes(id))).toEqual([]);
      expect(lines.filter((line) => line === "end")).toHaveLength(
        lines.filter((line) => line.startsWith("subgraph")).length,
      );
    }
  });

  test("shows regions, children, counters and texts with marks of Mermaid's own", () => {
    const text = protocolText(`
    start: a
    counters: {tries: {limit: 2, over: sure}}
    states:
      a:
        parallel: {one: {dispatch: coder, reports: [DONE], on: {DONE: ^ok}}}
        join: [ok]
        on: {ok: {to: b, do: [{count: tries}]}}
      b: {each: items, machine: piece, join: [ok], on: {ok: ^complete, none: ^failed}}
      sure: {ask: 'Say "yes" <now>', on: {"yes": back}}
  piece: {like: base, start: c, errors: {abort: ^ok}, states: {c: {end: ok}}}`);
    expect(toMermaid(load("p", { p: text }))).toMatchInlineSnapshot(`
      "flowchart TD
        subgraph n18["main"]
          n0((start)) -.-> n1
          n2{{"paused: A step could not be executed"}}
          n3{{"trouble: An agent could not finish"}}
          n4{{"not_converging: A loop does not converge"}}
          subgraph n8["a"]
            n1["a: together"]
            subgraph n7["one"]
              n5["one: coder"]
              n6(["ok"])
            end
          end
          n9["b: each items"]
          n10{{"sure: Say #quot;yes#quot; #lt;now#gt;"}}
          n11(["any state"])
          n12(["back"])
          n13(["counter tries"])
          n14(["halted"])
          n15(["complete"])
          n16(["failed"])
        end
        n9 -.-> n17
        subgraph n26["piece"]
          n19((start)) -.-> n17
          n20{{"paused: A step could not be executed"}}
          n21{{"trouble: An agent could not finish"}}
          n22{{"not_converging: A loop does not converge"}}
          n17["c: end ok"]
          n23(["any state"])
          n24(["back"])
          n25(["ok"])
        end
        n11 -->|"ME"| n3
        n11 -->|"TO"| n3
        n11 -->|"EX"| n3
        n11 -->|"BL"| n3
        n11 -->|"EN"| n4
        n11 -->|"inconclusive"| n2
        n11 -->|"abort"| n14
        n13 -->|"used up"| n10
        n2 -->|"resume"| n12
        n3 -->|"context"| n12
        n3 -->|"approach"| n12
        n3 -->|"reset"| n12
        n4 -->|"context"| n12
        n4 -->|"approach"| n12
        n4 -->|"reset"| n12
        n1 -->|"ok, count tries"| n9
        n9 -->|"ok"| n15
        n9 -->|"none"| n16
        n10 -->|"yes"| n12
        n5 -->|"DONE"| n6
        n23 -->|"ME"| n21
        n23 -->|"TO"| n21
        n23 -->|"EX"| n21
        n23 -->|"BL"| n21
        n23 -->|"EN"| n22
        n23 -->|"inconclusive"| n20
        n23 -->|"abort"| n25
        n20 -->|"resume"| n24
        n21 -->|"context"| n24
        n21 -->|"approach"| n24
        n21 -->|"reset"| n24
        n22 -->|"context"| n24
        n22 -->|"approach"| n24
        n22 -->|"reset"| n24
      "
    `);
  });
});
