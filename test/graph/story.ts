/** Trees for whole runs: the function of each node returns its own name and its children's results, `top(a,b(b1))`. */
import { join } from "node:path";
import type { Recorded } from "../../src/log/run-event.ts";
import type { ChildSpec } from "../../src/protocol/graph-types/scaffold.ts";
import type { Spec } from "../../src/protocol/graph-types/shared.ts";
import { eventsOf, type DriveResult, type TurnFile, type World } from "../orchestrate/world.ts";
import { stub, tests } from "./by-hand.ts";
import { runGraph, type GraphRunOptions, type NodeRoles } from "./world.ts";

export interface TreeNode {
  readonly id: string;
  readonly children?: readonly TreeNode[];
}

export type Report = NonNullable<TurnFile["report"]>;
export type Step = Record<string, unknown>;

export const files = {
  "package.json": '{ "type": "module", "scripts": { "test": "node --test" } }\n',
};

const root = "AC-1";

/** The root has its own criterion and one for each child; a child has one, and its children have parts of it. */
function criteriaOf({ id, children = [] }: TreeNode, own: string) {
  return [
    { id: own, text: `${id}() gives its name` },
    ...(own === root
      ? children.map((child) => ({ id: `AC-${child.id}`, text: `${child.id}() gives its name` }))
      : []),
  ];
}

export function specOf(node: TreeNode): Spec {
  return {
    id: node.id,
    description: `The ${node.id}`,
    acceptanceCriteria: criteriaOf(node, root),
    targetPath: `src/${node.id}.js`,
    testPath: `test/${node.id}`,
  };
}

export function childSpec(plant: TreeNode, own = `AC-${plant.id}`): ChildSpec {
  return { ...specOf(plant), acceptanceCriteria: criteriaOf(plant, own) };
}

export function report(status: string, payload: unknown, message = status): Report {
  return { status, message, payload };
}

export const approved = report("Approved", {
  signOff: "Read the diff",
  coverageReport: { criteriaWithTests: [], criteriaMissing: [] },
});
export const complete = report("MergeComplete", {
  mergeCommit: "HEAD",
  author: "",
  impactLevel: "Additive",
  changes: [],
});
export const passed = report("TestsPassed", { commitHash: "HEAD", iterations: 1, passedTests: [] });

export function testsReady(id: string, criteria: readonly string[]): Report {
  return report("TestsReady", {
    testsCommit: "HEAD",
    testFiles: [`test/${id}/${id}.test.js`],
    pendingCriteria: criteria,
  });
}

export function plan(criterionId: string) {
  return { criterionId, plannedTestName: `${criterionId}: gives its name`, approach: "call it" };
}

export const write = (path: string, content: string): Step => ({ write: { path, content } });
export const channel = (told: Report): Step => ({ channel: told });

/** The result of a node's function. */
function given({ id, children = [] }: TreeNode): string {
  return children.length === 0 ? id : `${id}(${children.map(given).join(",")})`;
}

/** The body that implements a node. */
export function built({ id, children = [] }: TreeNode): string {
  const imports = children.map((child) => `import { ${child.id} } from "./${child.id}.js";\n`).join("");
  const inner = children.map((child) => `${child.id}()`).join(", ");
  const value = children.length === 0 ? `"${id}"` : `"${id}(" + [${inner}].join(",") + ")"`;
  return `${imports}export function ${id}() {\n  return ${value};\n}\n`;
}

export function initWork(plant: TreeNode, own: string, children = plant.children ?? []): Report {
  const { id } = plant;
  return report("InitWork", {
    scaffoldCommit: "HEAD",
    interfaceFile: `src/${id}-api.js`,
    contractSuite: `test/contract/${id}.test.js`,
    testPlan: criteriaOf(plant, own).map((criterion) => plan(criterion.id)),
    ...(children.length === 0
      ? {}
      : {
          childSpecs: children.map((child) =>
            childSpec(child, own === root ? `AC-${child.id}` : `${own}.${child.id}`),
          ),
          interfaces: [{ path: `src/${id}-shapes.js`, exports: [`${id}Shape`] }],
        }),
  });
}

/** The steps of a node's scaffold. */
export function scaffoldSteps(plant: TreeNode): Step[] {
  const { id, children = [] } = plant;
  return [
    write(`src/${id}.js`, stub(id)),
    write(`src/${id}-api.js`, `export { ${id} } from "./${id}.js";\n`),
    ...(children.length === 0
      ? []
      : [write(`src/${id}-shapes.js`, `export const ${id}Shape = "${given(plant)}";\n`)]),
    write(
      `test/contract/${id}.test.js`,
      tests({ [`../../src/${id}.js`]: `{ ${id} }` }, [
        `${id} gives a string`,
        `assert.equal(typeof ${id}(), "string");`,
      ]),
    ),
  ];
}

/** A test of a node, named by its criterion. */
export function testStep(plant: TreeNode, criteria: readonly string[], name = plant.id): Step {
  const cases = criteria.map(
    (criterion) =>
      [`${criterion}: gives its name`, `assert.equal(${plant.id}(), "${given(plant)}");`] as const,
  );
  return write(
    `test/${plant.id}/${name}.test.js`,
    tests({ [`../../src/${plant.id}.js`]: `{ ${plant.id} }` }, ...cases),
  );
}

/** All roles of one node, each successful at its first attempt. */
export function rolesOf(plant: TreeNode, own = root): NodeRoles {
  const criteria = criteriaOf(plant, own).map(({ id }) => id);
  return {
    scaffold: [{ does: scaffoldSteps(plant), report: initWork(plant, own) }],
    tdd: [{ does: [testStep(plant, criteria)], report: testsReady(plant.id, criteria) }],
    impl: [{ does: [write(`src/${plant.id}.js`, built(plant))], report: passed }],
    reviewer: [{ report: approved, repeat: true }],
    merger: [{ report: complete, repeat: true }],
  };
}

/** By node id, the root first. */
export function nodesOf(
  plant: TreeNode,
  above: readonly string[] = [],
  own = root,
): Record<string, NodeRoles> {
  const path = [...above, plant.id];
  const below = (plant.children ?? []).map((child) =>
    nodesOf(child, path, own === root ? `AC-${child.id}` : `${own}.${child.id}`),
  );
  return Object.assign({ [path.join("--")]: rolesOf(plant, own) }, ...below) as Record<string, NodeRoles>;
}

/** Steps that wait for each other through files beside the repository, at most a quarter of an hour. */
export function signals(folder: string) {
  const fileOf = (name: string) => join(folder, name);
  const until = (test: string): Step => ({
    shell: `n=0; until ${test} || [ $n -gt 9000 ]; do sleep 0.1; n=$((n+1)); done`,
  });
  return {
    fileOf,
    until,
    give: (name: string): Step => ({ shell: `touch '${fileOf(name)}'` }),
    await: (name: string): Step => until(`[ -e '${fileOf(name)}' ]`),
  };
}

export interface TreeStory {
  readonly plant: TreeNode;
  readonly nodes: Readonly<Record<string, NodeRoles>>;
}

export function runTree(
  world: World,
  { plant, nodes, ...rest }: TreeStory & Omit<GraphRunOptions, "cassette" | "spec">,
): Promise<DriveResult> {
  const cassette = { version: 1, kind: "cassette", nodes: { ...nodes } };
  return runGraph(world, { cassette, spec: specOf(plant), ...rest });
}

export function refusalsIn(events: readonly Recorded[]): readonly string[] {
  return eventsOf(events, "report.refused").map(({ why }) => why);
}
