import { describe, expect, test } from "vitest";
import { names, protocolNamed } from "../../../kernel/fixtures/protocols.ts";
import type { State } from "../../../protocol/machine.ts";
import { emptyView } from "../../../log/run-view.ts";
import { machinesOf } from "./machines.ts";

const notBegun = (name: string) => machinesOf(protocolNamed(name), emptyView("none"), true);

describe.each(names)("%s", (name) => {
  test("each step that outcomes lead to is drawn once, and each route between steps that are drawn", () => {
    for (const machine of notBegun(name)) {
      const defined = protocolNamed(name).machines[machine.name];
      const states: Readonly<Record<string, State>> = defined?.states ?? {};
      const ids = machine.steps.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      const reached = new Set([defined?.start ?? ""]);
      for (const id of reached)
        for (const { to } of Object.values(states[id]?.on ?? {}))
          if (to.type === "state") reached.add(to.state);
      expect(ids.filter((id) => !id.includes("/")).toSorted()).toEqual([...reached].toSorted());
      for (const id of reached) {
        const targets = Object.values(states[id]?.on ?? {}).flatMap(({ to }) =>
          to.type === "state" ? [to.state] : to.type === "self" ? [id] : [],
        );
        const drawn = machine.routes.filter(({ from }) => from === id).map(({ to }) => to);
        expect(drawn.toSorted()).toEqual([...new Set(targets)].toSorted());
      }
    }
  });

  test("before the run begins every step is still to come", () => {
    const states = notBegun(name).flatMap(({ steps }) => steps.map(({ state }) => state));
    expect(states.filter((state) => state !== "next" && state !== "skipped")).toEqual([]);
    expect(states).toContain("next");
  });
});
