/** The story of `splits.test.ts`: root > (a, b > (b1)); a is refused once and merges while b1 is reviewed. */
import type { World } from "../orchestrate/world.ts";
import type { NodeRoles } from "./world.ts";
import {
  built,
  channel,
  childSpec,
  initWork,
  scaffoldSteps,
  nodesOf,
  passed,
  report,
  signals,
  write,
  type TreeNode,
  type Report,
  type Step,
} from "./story.ts";

export const b1: TreeNode = { id: "b1" };
export const b: TreeNode = { id: "b", children: [b1] };
const a: TreeNode = { id: "a" };
export const top: TreeNode = { id: "top", children: [a, b] };
export const ids = ["top", "top--a", "top--b", "top--b--b1"];

export const shop = "export const open = true;\n";
const [byA, byB1] = ["export const a = 1;\n", "export const b1 = 1;\n"];
export const rejection = {
  reason: "IntegrationFailure",
  details: "the shop is not open yet",
  failingTests: ["test/shop.test.js::opens"],
};

/** InitWork of the root with other children. */
function split(...children: readonly object[]): Report {
  const right = initWork(top, "AC-1");
  return { ...right, payload: { ...(right.payload as object), childSpecs: children } };
}

const [specA, specB] = [childSpec(a), childSpec(b)];
const childNamed = (id: string, change: object = {}) => ({
  ...childSpec({ id }),
  acceptanceCriteria: [{ id: `AC-1.${id}`, text: "a part" }],
  ...change,
});
/** Each is refused for the reason beside it, in the same conversation. */
export const refused: readonly (readonly [Report, RegExp])[] = [
  [
    split(...Array.from({ length: 9 }, (_, n) => childNamed(`c${n}`))),
    /too_many_children.*9 children, and a node may have 8/u,
  ],
  [
    split(specA, { ...specB, acceptanceCriteria: specA.acceptanceCriteria }),
    /criterion_assigned_twice: AC-a \(a, b\)/u,
  ],
  [
    split({ ...specA, acceptanceCriteria: [{ id: "AC-9", text: "unknown" }] }),
    /criterion_unknown: AC-9 \(a\)/u,
  ],
  [
    split(childNamed("db"), childNamed("DB", { targetPath: "src/other.js", testPath: "test/other" })),
    /\bdb and DB\b/u,
  ],
  [
    split(childNamed("db", { targetPath: "src/db" }), childNamed("pool", { targetPath: "src/db/pool.ts" })),
    /src\/db\/pool\.ts \(targetPath of pool\) and src\/db \(targetPath of db\)/u,
  ],
  [
    split(childNamed("db", { testPath: "test" })),
    /test \(testPath of db\) and test\/contract\/top\.test\.js \(contractSuite\)/u,
  ],
  [
    split(childNamed("db", { targetPath: "src/top-api.js" })),
    /src\/top-api\.js \(targetPath of db\) and src\/top-api\.js \(interfaceFile\)/u,
  ],
];

export function splitStory(world: World, folder: string): Record<string, NodeRoles> {
  const nodes = nodesOf(top);
  const { give, await: waits, until } = signals(folder);
  const on = (branch: string, subject: string): Step =>
    until(
      `git -C '${world.repository.dir}' log --branches='mettle/*/${branch}' --format=%s | grep -qxF '${subject}'`,
    );
  const also = (node: string, role: string, change: (roles: NonNullable<NodeRoles[string]>) => void) => {
    const turns = nodes[node]?.[role];
    if (turns === undefined) throw new Error(`${node} has no ${role}`);
    change(turns);
  };
  also("top", "scaffold", ([turn]) => {
    if (turn) turn.does = [...scaffoldSteps(top), ...refused.map(([wrong]) => channel(wrong))];
  });
  // Children first: the root's tests wait for both merges.
  also("top", "tdd", ([turn]) => turn?.does?.push(on("top", "feat(top--b): implement")));
  also("top--a", "impl", (turns) => {
    turns[0] = { does: [write("src/a.js", built(a)), write("src/shop.js", shop + byA)], report: passed };
    turns.push({ expects: [rejection.details], report: passed });
  });
  also("top--a", "merger", (turns) => {
    turns.unshift({ does: [waits("seen")], report: report("MergeRejected", rejection) });
  });
  // Tests first, and a is merged while b1 is in review: b is rebased on it, and then b1, which changed the same line.
  also("top--b--b1", "impl", (turns) => {
    turns[0] = { does: [write("src/b1.js", built(b1)), write("src/shop.js", shop + byB1)], report: passed };
  });
  also("top--b--b1", "reviewer", (turns) => {
    const { report: own } = turns[0] ?? {};
    const does = [give("b1-is-reviewed"), on("top--b", "feat(top--a): implement"), { sleep: 3000 }];
    turns.unshift({ does, ...(own === undefined ? {} : { report: own }) });
  });
  nodes["top--b--b1"] = {
    ...nodes["top--b--b1"],
    rebaser: [
      {
        does: [write("src/shop.js", shop + byA + byB1)],
        report: report("RebaseAdapted", {
          newBase: "HEAD",
          adaptations: [{ symbol: "a", change: "kept before b1", reason: "both were added" }],
        }),
      },
    ],
  };
  return nodes;
}
