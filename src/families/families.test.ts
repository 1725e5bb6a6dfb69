import { expect, test } from "vitest";
import { protocolNamed } from "../kernel/fixtures/protocols.ts";
import type { Protocol } from "../protocol/machine.ts";
import { shippedFamilies as families } from "./families.ts";
import type { RootSpec, StartOptions } from "../family/start-options.ts";

const spec: RootSpec = {
  spec: {
    id: "add",
    description: "Add",
    acceptanceCriteria: [{ id: "AC-1", text: "2 + 3 is 5" }],
    targetPath: "src/add.ts",
    testPath: "test/add",
  },
  file: null,
};

test("each shipped protocol belongs to the family of its system, and one without extras of its own to none", () => {
  const names = ["orchestrate", "riper", "dptr", "graph", "steps", "plan", "continue"];
  expect(names.map((name) => families.of(protocolNamed(name)).name)).toEqual([
    "plain",
    "cycles",
    "cycles",
    "graph",
    "steps",
    "steps",
    "steps",
  ]);
  const bare: Protocol = { ...protocolNamed("dptr"), features: {}, gates: {}, roles: {} };
  expect(families.of(bare).name).toBe("plain");
});

test("a graph begins with a spec, and says which is the smallest one", () => {
  expect(() => accepts("graph", { spec })).not.toThrow();
  expect(() => accepts("graph", {})).toThrow(
    expect.objectContaining({ code: "spec_required", hint: expect.stringContaining("acceptanceCriteria:") }),
  );
});

test("every other protocol begins with words, on the branch that is checked out", () => {
  expect(() => accepts("dptr", {})).not.toThrow();
  for (const wrong of [{ spec }, { base: "main" }, { mergeRequests: true }])
    expect(() => accepts("dptr", wrong)).toThrow(expect.objectContaining({ code: "usage" }));
});

function accepts(protocol: string, given: Partial<StartOptions>): void {
  const options = { task: "Add", protocol, agents: {}, preapproved: [], demo: false, ...given };
  families.of(protocolNamed(protocol)).accepts(protocolNamed(protocol), options);
}
