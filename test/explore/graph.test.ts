/** The graph through its routes: two siblings in conflict that fail at every node in turn, and its printed answers. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { stringify } from "yaml";
import {
  approved,
  built,
  complete,
  files,
  initWork,
  scaffoldSteps,
  passed,
  report,
  specOf,
  testStep,
  testsReady,
  write,
  type TreeNode,
} from "../graph/story.ts";
import type { TurnFile } from "../orchestrate/world.ts";
import { newFolder } from "../support/folder.ts";
import { wide } from "../wide.ts";
import { crash, explore, reports, type Move, type Moves } from "./explorer.ts";

const [a, b]: readonly [TreeNode, TreeNode] = [{ id: "a" }, { id: "b" }];
const top: TreeNode = { id: "top", children: [a, b] };

const move = (told: TurnFile["report"], ...does: Record<string, unknown>[]): Move =>
  told === undefined ? { does } : { does, report: told };

const exits = {
  unclear: report("ClarificationNeeded", {
    question: "Which name?",
    ambiguityReference: "AC-1",
    specSentence: "gives its name",
  }),
  invalid: report("InvalidScaffold", { missingType: "Name", expectedLocation: "src/name.js" }),
  retry: report("RequestRetry", {
    diagnosis: "no",
    strategyFrom: "this",
    strategyTo: "that",
    failingTests: [],
  }),
  blocked: report("BlockedDependency", { missingSymbol: "x", expectedImportPath: "src/x.js" }),
  ambiguous: report("SpecAmbiguity", { specSentence: "a", contradictionTrace: "b", question: "c?" }),
  stuck: report("Stuck", { diagnosis: "cannot", recommendation: "ask", attempts: 1 }),
  reject: report("Reject", { reason: "it is another thing", missingCriteria: [] }),
  more: report("MoreTests", {
    critiques: [{ file: "src/shared.js", line: 1, issue: "terse", requiredFix: "say more" }],
    additionalTests: [],
  }),
  mergeRejected: report("MergeRejected", { reason: "ContractViolation", details: "no", failingTests: [] }),
  conflict: report("RebaseConflict", {
    conflictFile: "src/shared.js",
    ourChange: "by is b",
    theirChange: "by is a",
    whyUnresolvable: "it is either of them",
  }),
};

/** The correct turns of a node, by state name. */
function right(plant: TreeNode, own: string, also: readonly Record<string, unknown>[] = []) {
  const criteria = own === "AC-1" ? ["AC-1", "AC-a", "AC-b"] : [own];
  return {
    scaffold: move(initWork(plant, own), ...scaffoldSteps(plant)),
    write_tests: move(testsReady(plant.id, criteria), testStep(plant, criteria)),
    impl: move(passed, write(`src/${plant.id}.js`, built(plant)), ...also),
    review: move(approved),
    merger: move(complete),
  };
}

type MovesFor = (repository: string) => Moves;

const below = (id: string, moves: Moves): Moves =>
  Object.fromEntries(
    Object.entries(moves).map(([state, of]) => [`work/children/children/${id}/${state}`, of]),
  );

const root = right(top, "AC-1");
const [first, second] = [
  right(a, "AC-a", [write("src/shared.js", 'export const by = "a";\n')]),
  right(b, "AC-b", [write("src/shared.js", 'export const by = "b";\n')]),
];

/** Waits for at most two minutes. */
const until = (shell: string): Record<string, unknown> => ({
  shell: `n=0; until ${shell} || [ $n -gt 1200 ]; do sleep 0.1; n=$((n+1)); done`,
});

/** The failures of each node before its correct turn. */
const ways: Readonly<Record<string, MovesFor>> = {
  "everything fails once": () => ({
    scaffold: [crash, reports("EN"), move(exits.unclear), move(initWork(top, "AC-1")), root.scaffold],
    "work/tests/write_tests": [
      crash,
      reports("EN"),
      move(testsReady("top", ["AC-1"])),
      root.write_tests,
      move(testsReady("top", [])),
    ],
    impl: [
      crash,
      move(report("TI", null, "the test is wrong")),
      move(exits.retry),
      move(passed),
      move(exits.stuck),
      move(exits.blocked),
      root.impl,
    ],
    review: [crash, move(exits.reject), move(exits.more), root.review],
    merger: [move(exits.mergeRejected), root.merger],
    ...below("a", {
      scaffold: [crash, move(exits.unclear), move(initWork(a, "AC-a")), first.scaffold],
      "work/tests/write_tests": [move(exits.invalid), reports("EN"), first.write_tests],
      impl: [move(exits.stuck), move(exits.ambiguous), move(exits.blocked), move(passed), first.impl],
      review: [move(exits.reject), first.review],
      judge: [move(exits.more), move(exits.reject), first.review],
      merger: [move(exits.mergeRejected), first.merger],
    }),
    ...below("b", { ...asMoves(second), judge: [second.review] }),
  }),
  // The second child is in review when the first one's merge comes.
  "a child fails before and after its rebase was given up": (repository) => {
    const isReviewed = `'${repository}/.git/reviewed'`;
    const isMerged = `git -C '${repository}' log --branches='mettle/*/top' --format=%s | grep -qF 'feat(top--a): implement'`;
    return {
      ...asMoves(root),
      "work/tests/write_tests": [root.write_tests, move(testsReady("top", []))],
      rebaser: [move(exits.conflict)],
      ...below("a", {
        ...asMoves(first),
        judge: [first.review],
        merger: [{ ...first.merger, does: [until(`[ -e ${isReviewed} ]`)] }],
      }),
      ...below("b", {
        ...asMoves(second),
        impl: [move(exits.stuck), second.impl, move(exits.stuck), second.impl],
        review: [
          {
            ...second.review,
            does: [{ shell: `touch ${isReviewed}` }, until(isMerged), { shell: "sleep 1" }],
          },
        ],
        judge: [second.review],
      }),
    };
  },
};

/** Each state succeeds at once. */
function asMoves({ write_tests, ...states }: ReturnType<typeof right>): Moves {
  const once = Object.entries(states).map(([state, of]) => [state, [of]] as const);
  return { ...Object.fromEntries(once), "work/tests/write_tests": [write_tests] };
}

let folder: string;
let spec: string;
beforeAll(async () => {
  folder = newFolder();
  spec = join(folder, "spec.yaml");
  await writeFile(spec, stringify(specOf(top)));
});

const orders = [0, 1, 2];

for (const [name, way] of Object.entries(ways))
  test.skipIf(!wide).each(orders)(
    `a graph where ${name} comes to its end, in order %i`,
    async (turn) => {
      const explored = await explore({
        files: { ...files, "src/shared.js": 'export const by = "nobody";\n' },
        moves: way,
        start: ["--protocol", "graph", "--spec", spec],
        words: { FILE: spec },
        order: turn,
        maxCommands: 100,
      });

      expect(explored.faults).toEqual([]);
      expect(explored.status.status).toBe("complete");
    },
    900_000,
  );
