/**
 * The tree for the kill tests: twelve nodes on three levels. Two sisters change the same line, so one has to adapt. It
 * is in Python, since unittest runs all files in one process and the tests run some hundred times.
 */
import type { Spec } from "../../src/protocol/graph-types/shared.ts";
import { approved, complete, passed, report, signals, write, type TreeNode } from "./story.ts";
import type { NodeRoles, TreeCassette } from "./world.ts";

const leaves = (...ids: readonly string[]): readonly TreeNode[] => ids.map((id) => ({ id }));
const top: TreeNode = {
  id: "top",
  children: [
    { id: "a", children: leaves("a1", "a2") },
    { id: "b", children: leaves("b1", "b2") },
    { id: "c", children: leaves("c1", "c2") },
    { id: "d", children: leaves("d1") },
  ],
};

const shop = "IS_OPEN = True\n";
const [byA1, byA2] = ["A1 = 1\n", "A2 = 2\n"];

export const twelveFiles = {
  "src/__init__.py": "",
  "src/shop.py": shop,
  "test/__init__.py": "",
  "test/contract/__init__.py": "",
  "test/test_shop.py": tests("src.shop", "IS_OPEN", [["test_shop_is_open", "self.assertTrue(IS_OPEN)"]]),
};
/** The final content of `src/shop.py`. */
export const shopOfAll = shop + byA1 + byA2;

/** A node has its own criterion; those of its children are parts of the root's. */
function specFor({ id, children = [] }: TreeNode, own: string) {
  const criteria = [{ id: own, text: `${id}() gives its name` }];
  if (own === "AC-1")
    criteria.push(
      ...children.map((child) => ({ id: `AC-${child.id}`, text: `${child.id}() gives its name` })),
    );
  return {
    id,
    description: `The ${id}`,
    acceptanceCriteria: criteria,
    targetPath: `src/${id}.py`,
    testPath: `test/${id}`,
  };
}

export const twelveSpec: Spec = specFor(top, "AC-1");

function tests(module: string, name: string, cases: readonly (readonly [string, string])[]): string {
  const methods = cases.map(([title, body]) => `    def ${title}(self):\n        ${body}\n`);
  const head = `import unittest\nfrom ${module} import ${name}\n\n\nclass Test(unittest.TestCase):\n`;
  return head + methods.join("\n");
}

function given({ id, children = [] }: TreeNode): string {
  return children.length === 0 ? id : `${id}(${children.map(given).join(",")})`;
}

function built({ id, children = [] }: TreeNode): string {
  const imports = children.map((child) => `from src.${child.id} import ${child.id}\n`).join("");
  const value =
    children.length === 0
      ? `"${id}"`
      : `"${id}(" + ",".join([${children.map((child) => `${child.id}()`).join(", ")}]) + ")"`;
  return `${imports}${children.length === 0 ? "" : "\n\n"}def ${id}():\n    return ${value}\n`;
}

function rolesOf(plant: TreeNode, own: string): NodeRoles {
  const { id, children = [] } = plant;
  const { acceptanceCriteria, testPath } = specFor(plant, own);
  const planned = acceptanceCriteria.map(({ id: criterionId }) => ({
    criterionId,
    plannedTestName: `test_${criterionId.replaceAll(/\W/gu, "_").toLowerCase()}`,
    approach: "call it",
  }));
  const contractSuite = `test/contract/test_contract_${id}.py`;
  const scaffold = {
    scaffoldCommit: "HEAD",
    interfaceFile: `src/${id}_api.py`,
    contractSuite,
    testPlan: planned,
    ...(children.length === 0
      ? {}
      : {
          childSpecs: children.map((child) => specFor(child, partOf(child, own))),
          interfaces: [{ path: `src/${id}_shapes.py`, exports: ["SHAPE"] }],
        }),
  };
  return {
    scaffold: [
      {
        does: [
          write(`src/${id}.py`, `def ${id}():\n    raise NotImplementedError("${id}")\n`),
          write(`src/${id}_api.py`, `from src.${id} import ${id}\n`),
          ...(children.length === 0 ? [] : [write(`src/${id}_shapes.py`, `SHAPE = "${given(plant)}"\n`)]),
          write(
            contractSuite,
            tests(`src.${id}`, id, [[`test_${id}_gives_a_string`, `self.assertIsInstance(${id}(), str)`]]),
          ),
        ],
        report: report("InitWork", scaffold),
      },
    ],
    tdd: [
      {
        does: [
          write(`${testPath}/__init__.py`, ""),
          write(
            `${testPath}/test_${id}.py`,
            tests(
              `src.${id}`,
              id,
              planned.map(({ plannedTestName }) => [
                plannedTestName,
                `self.assertEqual(${id}(), "${given(plant)}")`,
              ]),
            ),
          ),
        ],
        report: report("TestsReady", {
          testsCommit: "HEAD",
          testFiles: [`${testPath}/test_${id}.py`],
          pendingCriteria: acceptanceCriteria.map((criterion) => criterion.id),
        }),
      },
    ],
    impl: [{ does: [write(`src/${id}.py`, built(plant))], report: passed }],
    reviewer: [{ report: approved, repeat: true }],
    merger: [{ report: complete, repeat: true }],
  };
}

function partOf({ id }: TreeNode, own: string): string {
  return own === "AC-1" ? `AC-${id}` : `${own}.${id}`;
}

function nodesOf(plant: TreeNode, above: readonly string[] = [], own = "AC-1"): Record<string, NodeRoles> {
  const path = [...above, plant.id];
  const below = (plant.children ?? []).map((child) => nodesOf(child, path, partOf(child, own)));
  return Object.assign({ [path.join("--")]: rolesOf(plant, own) }, ...below) as Record<string, NodeRoles>;
}

/**
 * Each role succeeds at its first attempt. Neither sister is merged before both are implemented, and the second keeps
 * both lines, so the result is the same in either order.
 * @param folder where the two wait for each other
 */
export function twelve(folder: string): TreeCassette {
  const nodes = nodesOf(top);
  const { give, await: waits } = signals(folder);
  const sisters = [
    { id: "a1", other: "a2", line: byA1 },
    { id: "a2", other: "a1", line: byA2 },
  ];
  for (const { id, other, line } of sisters) {
    const does = [
      write(`src/${id}.py`, built({ id })),
      write("src/shop.py", shop + line),
      give(`${id}-is-implemented`),
    ];
    const adaptations = [{ symbol: other.toUpperCase(), change: "kept too", reason: "both were added" }];
    nodes[`top--a--${id}`] = {
      ...nodes[`top--a--${id}`],
      impl: [{ does, report: passed }],
      merger: [{ does: [waits(`${other}-is-implemented`)], report: complete, repeat: true }],
      rebaser: [
        {
          does: [write("src/shop.py", shopOfAll)],
          report: report("RebaseAdapted", { newBase: "HEAD", adaptations }),
          repeat: true,
        },
      ],
    };
  }
  return { version: 1, kind: "cassette", nodes };
}
