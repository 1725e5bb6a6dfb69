import { expect, test } from "vitest";
import { protocolNamed } from "../../kernel/fixtures/protocols.ts";
import { assertSpec, type RootSpec } from "./root.ts";

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

test("a graph begins with a spec, and says which is the smallest one", () => {
  expect(() => assertSpec(protocolNamed("graph"), spec)).not.toThrow();
  expect(() => assertSpec(protocolNamed("graph"), undefined)).toThrow(
    expect.objectContaining({ code: "spec_required", hint: expect.stringContaining("acceptanceCriteria:") }),
  );
});

test("every other protocol begins with words", () => {
  expect(() => assertSpec(protocolNamed("dptr"), undefined)).not.toThrow();
  expect(() => assertSpec(protocolNamed("dptr"), spec)).toThrow(expect.objectContaining({ code: "usage" }));
});
