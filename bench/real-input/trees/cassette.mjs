// The cassette of a tree: every role of every node is scripted, so that only Mettle judges.
import { besides, firstTest, lastTest, stubOf, underFolder } from "./text.mjs";

const until = (test) => ({ shell: `n=0; until ${test} || [ $n -gt 480 ]; do sleep 0.25; n=$((n+1)); done` });
const writes = (files) => Object.entries(files).map(([path, content]) => ({ write: { path, content } }));
const report = (status, message, payload) => ({
  report: { status, message, ...(payload ? { payload } : {}) },
});

export const contractOf = ({ test }) => besides(test, "contract");
const below = (node) => (node.children ?? []).flatMap((child) => [child, ...below(child)]);
export const allOf = (tree) => [tree, ...below(tree)];
export const criterionOf = ({ id }) => ({
  id: `C-${id}`,
  text: `${id} does what the program's own tests say`,
});
export const criteriaOf = (node) => [node, ...below(node)].map(criterionOf);

/** The test files of a node by path: its own, and the last test of each node below it. */
export function testsOf(node, read) {
  const folder = node.test.slice(0, node.test.lastIndexOf("/"));
  const inner = below(node).map(({ test }) => [
    underFolder(
      folder,
      besides(test, `of-${node.id}`.replaceAll("-", node.test.endsWith(".py") ? "_" : "-")),
    ),
    underFolder(folder, test, lastTest(test, read(test))),
  ]);
  return { [node.test]: read(node.test), ...Object.fromEntries(inner) };
}

export function storyOf(program, variant) {
  return program[{ "given back": "breaking", drops: "conflict" }[variant] ?? variant] ?? null;
}

/** @param titles of a test file, as its runner reports them */
export function treeCassette({ program, variant, read, titles, repository }) {
  const story = storyOf(program, variant);
  const changes = story?.files?.(read) ?? {};
  const names = {};
  const nodes = {};
  (function grow(node, above) {
    names[node.id] = above === null ? node.id : `${above}--${node.id}`;
    for (const child of node.children ?? []) grow(child, names[node.id]);
  })(program.tree, null);
  for (const node of allOf(program.tree)) nodes[names[node.id]] = rolesOf(node);
  if (story?.first) inOrder();
  if (variant === "cheat") cheat();
  if (variant === "meddles") meddles();
  return { version: 1, kind: "cassette", vendors: { reviewer: "anthropic" }, nodes };

  function rolesOf(node) {
    const tests = testsOf(node, read);
    const own = Object.fromEntries([node.source, ...(node.also ?? [])].map((path) => [path, read(path)]));
    const isRoot = node === program.tree;
    const stubs = isRoot
      ? Object.fromEntries(
          allOf(node).flatMap(({ source, also = [], unfinished = [" ", " "] }) =>
            [source, ...also].map((path) => [
              path,
              program.stubs?.[path] ?? stubOf(path, read(path)).replace(...unfinished),
            ]),
          ),
        )
      : {};
    const face = isRoot ? { [program.interfaceFile]: read(program.interfaceFile) } : {};
    const contract = { [contractOf(node)]: firstTest(node.test, read(node.test)) };
    const work = {
      scaffoldCommit: "HEAD",
      interfaceFile: program.interfaceFile,
      contractSuite: contractOf(node),
      testPlan: planOf(node),
      ...(node.children
        ? {
            childSpecs: node.children.map((child) => ({
              id: child.id,
              description: `The module ${child.source}`,
              acceptanceCriteria: criteriaOf(child),
              targetPath: child.target ?? child.source,
              testPath: testPathOf(child),
            })),
            interfaces: [
              { path: program.interfaceFile, exports: allOf(node).flatMap(({ exports }) => exports) },
            ],
          }
        : {}),
    };
    const approved = report("Approved", "It does what the tests say", {
      signOff: "Read the diff; it is the module as its tests ask for it",
      coverageReport: { criteriaWithTests: [], criteriaMissing: [] },
    });
    const passed = report("TestsPassed", "All green", { commitHash: "HEAD", iterations: 1, passedTests: [] });
    return {
      scaffold: [
        { does: writes({ ...face, ...stubs, ...contract }), ...report("InitWork", "As planned", work) },
      ],
      tdd: [
        {
          does: writes(tests),
          ...report("TestsReady", "The program's own tests", {
            testsCommit: "HEAD",
            testFiles: Object.keys(tests),
            pendingCriteria: criteriaOf(node).map(({ id }) => id),
          }),
        },
      ],
      impl: [{ does: writes({ ...own, ...changes[node.id] }), ...passed }],
      reviewer: [approved, { ...approved, repeat: true }],
      merger: [
        {
          does: [],
          ...report("MergeComplete", "Ready", {
            mergeCommit: "HEAD",
            author: "",
            impactLevel: "Trivial",
            changes: [],
          }),
          repeat: true,
        },
      ],
    };
  }

  function planOf(node) {
    const entry = (file, { id }) =>
      titles(file).map((plannedTestName) => ({
        criterionId: `C-${id}`,
        plannedTestName,
        approach: "the program's own",
      }));
    const inner = Object.keys(testsOf(node, read))
      .slice(1)
      .flatMap((file, index) => entry(file, below(node)[index]));
    const seen = new Set();
    return [...entry(node.test, node), ...inner].filter(
      ({ plannedTestName: name }) => !seen.has(name) && seen.add(name),
    );
  }

  /** The first child is merged while the second is under review, so that the second must be rebased. */
  function inOrder() {
    const { first, second } = story;
    const [one, two] = [nodes[names[first]], nodes[names[second]]];
    // Both read the branches, which they see because the sandbox is off.
    const isWritten = `git -C '${repository}' log --branches='mettle/*/${names[second]}' --format=%s | grep -q '^Make the tests pass'`;
    const merged = `git -C '${repository}' log --branches='mettle/*' --format=%s | grep -qF 'feat(${names[first]}): implement'`;
    one.merger = [{ ...one.merger[0], does: [until(isWritten)], repeat: false }, one.merger[0]];
    two.reviewer[0] = {
      ...two.reviewer[0],
      does: [until(merged), { sleep: 1000 }],
    };
    const adapted = story.adapted(read);
    const adaptations = [
      { symbol: story.symbol ?? second, change: "as the sibling has it", reason: "it was merged first" },
    ];
    two.rebaser = [
      {
        does: writes(adapted),
        ...report("RebaseAdapted", "Adapted", { newBase: "HEAD", adaptations }),
        repeat: true,
      },
    ];
    if (variant === "drops")
      two.rebaser = [{ ...two.rebaser[0], does: writes(changes[second]), repeat: false }];
    else if (variant === "given back")
      two.rebaser = [
        report("RebaseConflict", "Not mine to decide", {
          conflictFile: Object.keys(adapted)[0],
          ourChange: "uses the old name",
          theirChange: "renamed it",
          whyUnresolvable: "the module has to be thought through again",
        }),
      ];
    else return;
    two.scaffold.push({ ...two.scaffold[0], does: [] });
    two.tdd.push({ ...two.tdd[0], does: [] });
    const work = two.impl[0].does;
    two.impl.push({ ...two.impl[0], does: [...work, ...writes(adapted)] });
    two.reviewer[1] = { ...two.reviewer[1] };
  }

  /** The Merger of the first child empties its module and adds a file; its changes are never merged. */
  function meddles() {
    const [child] = program.tree.children;
    const [merger] = nodes[names[child.id]].merger;
    const does = writes({ [child.source]: "\n", [besides(child.source, "more")]: "\n" });
    nodes[names[child.id]].merger = [{ ...merger, does }];
    givesUp();
  }

  /** Keeps the stub and weakens the locked test; its parent gives up at the end. */
  function cheat() {
    const [child] = program.tree.children;
    const { impl } = nodes[names[child.id]];
    const weak = child.test.endsWith(".py")
      ? "def test_works() -> None:\n    assert True\n"
      : firstTest(child.test, read(child.test)).replaceAll(/\{\n[^]*\}\);/g, "{ });");
    impl[0] = { ...impl[0], does: writes({ [child.test]: weak }), repeat: true };
    givesUp();
  }

  function givesUp() {
    const end = { ...report("EN", "A child does not come to an end"), repeat: true };
    nodes[names[program.tree.id]].scaffold.push(end);
  }
}

/** The final modules; a file may be changed after its node wrote it. */
export function modulesOf({ program, variant, read }) {
  const story = storyOf(program, variant);
  const sources = allOf(program.tree).flatMap(({ source, also = [] }) => [source, ...also]);
  const own = Object.fromEntries(sources.map((path) => [path, read(path)]));
  return Object.assign(own, ...Object.values(story?.files?.(read) ?? {}), story?.adapted?.(read));
}

/** A node with children also has tests of the whole, beside its own file. */
export function testPathOf(node) {
  return node.children ? node.test.slice(0, node.test.lastIndexOf("/")) : node.test;
}
