import { expect, test } from "vitest";
import type { InitWork } from "../../../protocol/graph-types/scaffold.ts";
import type { TreeFacts } from "./refusal.ts";
import { nodeRefusal as treeRefusal, pathRefusal } from "./refusals.ts";

const facts: TreeFacts = {
  spec: {
    id: "shop",
    description: "A shop",
    acceptanceCriteria: [
      { id: "AC-1", text: "adds up" },
      { id: "AC-2", text: "has tax" },
    ],
    targetPath: "src/shop",
    testPath: "test/shop",
  },
  node: "shop",
  depth: 0,
  nodes: ["shop"],
  limits: { maxDepth: 3, maxChildren: 8, maxNodes: 40 },
  linkOut: (path) => (path.startsWith("src/away/") ? "src/away" : null),
};

const nodeRefusal = (known: TreeFacts) => (status: string, payload: unknown) =>
  pathRefusal(known)(status, payload) ?? treeRefusal(known)(status, payload);

type Child = NonNullable<InitWork["childSpecs"]>[number];

function child(id: string, change: Partial<Child> = {}, ...criteria: readonly string[]): Child {
  return {
    id,
    description: `The ${id}`,
    acceptanceCriteria: (criteria.length === 0 ? [`AC-1.${id}`] : criteria).map((one) => ({
      id: one,
      text: "it works",
    })),
    targetPath: `src/shop/${id}`,
    testPath: `test/shop/${id}`,
    ...change,
  };
}

function work(childSpecs: readonly Child[] | null, change: Partial<InitWork> = {}): InitWork {
  return {
    scaffoldCommit: "",
    interfaceFile: "src/shop/types.ts",
    contractSuite: "test/shop/contract.test.ts",
    testPlan: [],
    childSpecs: childSpecs === null ? null : [...childSpecs],
    ...change,
  };
}

function initWork(payload: InitWork, change: Partial<TreeFacts> = {}): string | null {
  return nodeRefusal({ ...facts, ...change })("InitWork", payload)?.why ?? null;
}

test("children are refused beyond the depth, and no children, however written, never", () => {
  const deep = { depth: 3 };
  expect(nodeRefusal({ ...facts, ...deep })("InitWork", work([child("a")]))).toEqual({
    code: "depth_limit",
    field: "payload.childSpecs",
    why: "depth_limit: this node is at depth 3 of at most 3, so it has no children",
  });
  const { childSpecs: _, ...absent } = work(null);
  expect([work([]), work(null), absent].map((payload) => initWork(payload, deep))).toEqual([
    null,
    null,
    null,
  ]);
  expect(initWork(work([child("a")]), { depth: 2 })).toBeNull();
});

test("more children or nodes than allowed are refused; children that are there already are not counted again", () => {
  const nine = work(Array.from({ length: 9 }, (_each, at) => child(`c${at}`)));
  expect(initWork(nine)).toBe("too_many_children: 9 children, and a node may have 8");
  const limits = { ...facts.limits, maxNodes: 3 };
  expect(initWork(work([child("a"), child("b"), child("c")]), { limits })).toBe(
    "too_many_nodes: 3 more beside 1 node, and a run may have 3",
  );
  const nodes = ["shop", "shop--a", "shop--b"];
  expect(initWork(work([child("a"), child("b")]), { limits, nodes })).toBeNull();
  expect(initWork(work([child("a"), child("c")]), { limits, nodes })).toMatch(/^too_many_nodes: 1 more/u);
});

test("a criterion goes to one child, and is one of the spec or a part of one", () => {
  expect(initWork(work([child("a", {}, "AC-1"), child("b", {}, "AC-1")]))).toBe(
    "criterion_assigned_twice: AC-1 (a, b)",
  );
  expect(initWork(work([child("a", {}, "AC-1"), child("b", {}, "AC-1.1")]))).toBe(
    "criterion_assigned_twice: AC-1.1 of AC-1 (a, b)",
  );
  expect(initWork(work([child("a", {}, "AC-9")]))).toBe(
    "criterion_unknown: AC-9 (a); known: AC-1, AC-2, or <id>.<suffix>",
  );
  for (const id of ["AC-11", "AC-1.", "ac-1", "AC-1-x"])
    expect(initWork(work([child("a", {}, id)])), id).toMatch(/^criterion_unknown/u);
  expect(initWork(work([child("a", {}, "AC-1.1", "AC-2"), child("b", {}, "AC-1.2")]))).toBeNull();
});

test("ids and paths of children that collide are refused with both values", () => {
  const colliding: readonly (readonly [readonly Child[], string])[] = [
    [[child("db"), child("DB", { targetPath: "src/x", testPath: "test/x" })], "the ids db and DB are one"],
    [
      [child("a", { targetPath: "src/db" }), child("b", { targetPath: "src/db/pool.ts" })],
      "src/db/pool.ts (targetPath of b) and src/db (targetPath of a) overlap",
    ],
    [
      [child("a", { testPath: "test/all/" }), child("b", { testPath: "./test/all" })],
      "./test/all (testPath of b) and test/all/ (testPath of a) overlap",
    ],
    [
      [child("a", { targetPath: "src/shop" })],
      "src/shop (targetPath of a) and src/shop/types.ts (interfaceFile) overlap",
    ],
    [
      [child("a", { testPath: "test/shop/contract.test.ts" })],
      "test/shop/contract.test.ts (testPath of a) and test/shop/contract.test.ts (contractSuite) overlap",
    ],
  ];
  expect(colliding.map(([children]) => initWork(work(children)))).toEqual(
    colliding.map(([, why]) => `children_collide: ${why}`),
  );
  expect(
    initWork(work([child("a", { targetPath: "src/db" }), child("b", { targetPath: "src/dbx" })])),
  ).toBeNull();
});

test("a child needs an id of the spec's kind, a description and criteria", () => {
  const bad = [
    child("a--b"),
    child("ö"),
    child("x".repeat(41)),
    child("a", { description: " " }),
    child("a", { acceptanceCriteria: [] }),
    child("a", { acceptanceCriteria: [{ id: "AC-1", text: "" }] }),
  ];
  expect(bad.map((one) => nodeRefusal(facts)("InitWork", work([one]))?.field)).toEqual([
    "payload.childSpecs.0.id",
    "payload.childSpecs.0.id",
    "payload.childSpecs.0.id",
    "payload.childSpecs.0.description",
    "payload.childSpecs.0.acceptanceCriteria",
    "payload.childSpecs.0.acceptanceCriteria",
  ]);
  expect(initWork(work([child("x".repeat(40))]))).toBeNull();
});

test("paths that leave the repository or lie where they may not are refused in every exit that has some", () => {
  const bad = [
    "/etc/x",
    "../x",
    "a/../../x",
    ".git/hooks/x",
    "sub/.GIT/x",
    ".mettle/x",
    "mettle.yaml",
    "C:/x",
    "a\\b",
    "src/away/x",
    ".",
  ];
  for (const path of bad)
    expect(initWork(work(null, { interfaceFile: path })), path).toMatch(`path_refused: ${path}: `);
  const places = [
    ["InitWork", work(null, { interfaces: [{ path: "../x", exports: [] }] }), "interfaces.0.path"],
    ["InitWork", work([child("a", { testPath: "../x" })]), "childSpecs.0.testPath"],
    ["TestsReady", { testFiles: ["a", "../x"] }, "testFiles.1"],
    ["InvalidScaffold", { expectedLocation: "../x" }, "expectedLocation"],
    ["MoreTests", { critiques: [{ file: "../x" }] }, "critiques.0.file"],
    ["BlockedDependency", { expectedImportPath: "../x" }, "expectedImportPath"],
    ["RebaseConflict", { conflictFile: "../x" }, "conflictFile"],
  ] as const;
  expect(places.map(([status, payload]) => nodeRefusal(facts)(status, payload)?.field)).toEqual(
    places.map(([, , field]) => `payload.${field}`),
  );
  expect(initWork(work([child("a", { testPath: "src/shop/a/" })]))).toMatch(
    /^path_refused: src\/shop\/a\/: /u,
  );
  expect(initWork(work(null, { interfaceFile: ".github/x", contractSuite: "a..b/mettle.yaml" }))).toBeNull();
});

test("MoreTests asks for something, and an approval says what was checked", () => {
  const refusal = nodeRefusal(facts);
  const critique = { file: "src/a.ts", line: 1, issue: "x", requiredFix: "y" };
  expect(refusal("MoreTests", { critiques: [], additionalTests: [] })).toMatchObject({
    code: "nothing_asked",
  });
  expect(refusal("MoreTests", { critiques: [critique], additionalTests: [] })).toBeNull();
  const coverageReport = { criteriaWithTests: [], criteriaMissing: [] };
  expect(refusal("Approved", { signOff: " \n", coverageReport })).toMatchObject({
    code: "sign_off_missing",
    field: "payload.signOff",
  });
  expect(refusal("Approved", { signOff: "read it all", coverageReport })).toBeNull();
});
