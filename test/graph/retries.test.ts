/**
 * A single node, sent back by every possible exit until its attempts are used up.
 * @module-tag ci
 */
import { beforeAll, expect } from "vitest";
import type { Command } from "../../src/kernel/command.ts";
import { ImplResult } from "../../src/protocol/graph-types/shared.ts";
import { presentAsk } from "../../src/engine/asks/present.ts";
import { eventsOf, type DriveResult, type World } from "../orchestrate/world.ts";
import { verifies } from "../verifies.ts";
import { dispatchOf } from "./threads-world.ts";
import { tests } from "./by-hand.ts";
import { createTreeWorld, logText, type NodeRoles } from "./world.ts";
import {
  built,
  channel,
  files,
  initWork,
  scaffoldSteps,
  passed,
  refusalsIn,
  report,
  rolesOf,
  specOf,
  runTree,
  testStep,
  testsReady,
  write,
  approved,
  type TreeNode,
} from "./story.ts";

const solo: TreeNode = { id: "solo" };
const sentence = "solo() gives its name";
const [invalid, blocked, ambiguous] = [
  { missingType: "Name", expectedLocation: "src/name.js" },
  { missingSymbol: "openDb", expectedImportPath: "src/db.js" },
  {
    specSentence: "solo() sings",
    contradictionTrace: "names do not sing",
    question: "sing or give a name?",
  },
] as const;
const quotedExit = { ...ambiguous, specSentence: sentence };
const critique = { file: "src/solo.js", line: 2, issue: "terse", requiredFix: "name the constant" };
const second = { ...critique, issue: "still terse", requiredFix: "say what it is" };
const retry = (n: number) => ({
  diagnosis: `wrong ${n}`,
  strategyFrom: `way ${n}`,
  strategyTo: `way ${n + 1}`,
  failingTests: [`failing ${n}`],
});
const other = { criterionId: "AC-1", plannedTestName: "AC-1: is a word", approach: "match it" };
const moreTests = (critiques: unknown[], additionalTests: unknown[]) =>
  report("MoreTests", { critiques, additionalTests });

const again = report("InitWork", initWork(solo, "AC-1").payload);
const wrongCommit = {
  ...again,
  payload: { ...(again.payload as object), scaffoldCommit: "fedcba9876543210" },
};
const nothingNew = testsReady("solo", ["AC-1"]);
const nodes: Record<string, NodeRoles> = {
  solo: {
    ...rolesOf(solo),
    scaffold: [
      { does: scaffoldSteps(solo), report: wrongCommit },
      { expects: ["InvalidScaffold", ...Object.values(invalid)], report: again },
      { expects: ["BlockedDependency", ...Object.values(blocked)], report: again },
      { expects: ["SpecAmbiguity", ...Object.values(ambiguous)], report: again },
      { expects: ["SpecAmbiguity", ...Object.values(quotedExit)], report: again },
    ],
    tdd: [
      {
        report: approved,
        nudges: [{ report: report("InvalidScaffold", invalid) }],
      },
      { does: [testStep(solo, ["AC-1"])], report: testsReady("solo", ["AC-7"]) },
      { report: nothingNew },
      { report: nothingNew },
      { report: nothingNew },
      {
        expects: [other.plannedTestName, other.approach, "- AC-1 ✓"],
        does: [
          write(
            "test/solo/word.test.js",
            tests({ "../../src/solo.js": "{ solo }" }, [
              other.plannedTestName,
              "assert.match(solo(), /^\\w+$/);",
            ]),
          ),
        ],
        report: nothingNew,
      },
    ],
    impl: [
      { report: report("BlockedDependency", blocked) },
      { report: report("SpecAmbiguity", ambiguous) },
      { report: report("SpecAmbiguity", quotedExit) },
      { does: [write("src/solo.js", 'export const solo = () => "other";\n')], report: passed },
      { report: report("RequestRetry", retry(2)) },
      {
        does: [write("src/solo.js", built(solo))],
        report: report("TestsPassed", {
          commitHash: "0123456789abcdef",
          iterations: 7,
          passedTests: Array.from({ length: 12 }, (_, n) => `test ${n}`),
        }),
      },
      { report: passed },
      ...[3, 4, 5].map((n) => ({ report: report("RequestRetry", retry(n)) })),
    ],
    reviewer: [
      { does: [channel(moreTests([], []))], report: moreTests([critique], [other]) },
      { report: moreTests([second], []) },
    ],
  },
};

let world: World;
let driven: DriveResult;
const at = (state: string, nth?: number) => dispatchOf(driven, "solo", state, nth);
const settlementsOf = (state: string) =>
  eventsOf(driven.events, "command.issued").filter(({ command }) => (command as Command).state === state);

beforeAll(async () => {
  world = await createTreeWorld(files);
  driven = await runTree(world, { plant: solo, nodes, options: { limits: { scaffold: 10 } } });
  if (process.env["SHOW"]) console.log(logText(driven.events));
}, 400_000);

verifies(
  "V3-03",
  "TDD has the mode that the kernel sets, and an exit of the other mode is refused in its conversation with the allowed exits",
  async () => {
    const modes = eventsOf(driven.events, "command.issued").flatMap(({ command }) => {
      const { type, state, mode } = command as Command & { readonly mode?: string };
      return type === "dispatch" && mode !== undefined ? [`${state} ${mode}`] : [];
    });
    expect(new Set(modes)).toEqual(new Set(["write_tests WriteTests", "review ReviewImpl"]));
    const { key } = await at("write_tests");
    const [refused] = eventsOf(driven.events, "report.refused");
    const why = expect.stringMatching(/^Approved is none of TestsReady, InvalidScaffold\b/u) as string;
    expect(refused).toMatchObject({ key, why });
    // The reminder has the reason: `reminderFor`.
    expect(eventsOf(driven.events, "agent.nudged").filter((event) => event.key === key)).toHaveLength(1);
    const [result] = eventsOf(driven.events, "result").filter((event) => event.key === key);
    expect(result?.outcome).toBe("InvalidScaffold");
  },
);

verifies(
  "V3-20",
  "feedback for Scaffold is shown with every field and its type, in its own conversation",
  async () => {
    const first = await at("scaffold");
    const shown: readonly (readonly [string, Readonly<Record<string, string>>, string | null])[] = [
      ["InvalidScaffold", invalid, null],
      ["BlockedDependency", blocked, "openDb: exported by no sibling and no child"],
      ["SpecAmbiguity", ambiguous, "specSentence: not in the spec"],
      ["SpecAmbiguity", quotedExit, "specSentence: in AC-1"],
    ];
    for (const [n, [type, fields, note]] of shown.entries()) {
      const { text, conversation } = await at("scaffold", n + 2);
      const [, told = ""] = /## What came back\n\n([^]*?)\n\nYour next InitWork/u.exec(text) ?? [];
      const lines = Object.entries(fields).map(([name, value]) => `- ${name}: ${value}`);
      expect(
        told
          .split("\n")
          .filter((line) => line !== "")
          .toSorted(),
      ).toEqual([`**${type}**`, ...lines, ...(note === null ? [] : [`- ${note}`])].toSorted());
      expect(conversation).toBe(first.conversation);
    }
  },
);

verifies(
  "V3-18",
  "a claim that the runtime's own run refutes counts as an attempt, and the next prompt has the failing tests and their output",
  async () => {
    // After Scaffold, Impl gets the pending tests even if none is new (fault E16).
    expect((await at("impl", 2)).text).toContain("\nCriteria: AC-1\n");
    const { text } = await at("impl", 5);
    expect(text).toContain("## Attempt 2 of 5");
    expect(text).toContain("test/solo/solo.test.js::AC-1: gives its name");
    expect(text).toMatch(/'other'|other.*solo/u);
  },
);

verifies(
  "V3-42",
  "commits, tests and counts come from the runtime, and a different report of the agent is a claim",
  async () => {
    const { key } = await at("impl", 6);
    const [commit] = eventsOf(driven.events, "commit.made").filter((event) => event.key === key);
    const accepted = eventsOf(driven.events, "node.accepted").filter(({ exit }) => exit === "TestsPassed");
    const result = ImplResult.parse(JSON.parse(await driven.context.payloads.text(accepted[0]?.ref ?? "")));
    expect(result).toEqual({
      commitHash: commit?.commit,
      iterations: 3,
      passedTests: [
        "test/contract/solo.test.js::solo gives a string",
        "test/solo/solo.test.js::AC-1: gives its name",
      ],
    });
    const { text } = await at("review");
    expect(text).toContain(`Commit: \`${commit?.commit}\`\nIterations: 3`);
    expect(text).not.toContain("0123456789abcdef");
    const claims = eventsOf(driven.events, "claim.unverified").filter((event) => event.key === key);
    expect(claims.map(({ phrase }) => phrase).toSorted()).toEqual([
      "commitHash",
      "iterations",
      "passedTests",
    ]);
    const all = eventsOf(driven.events, "claim.unverified").map(({ excerpt }) => excerpt);
    for (const said of [
      "scaffoldCommit: fedcba9876543210",
      "pendingCriteria: AC-7",
      "failingTests: failing 2",
    ])
      expect(all).toContain(said);
    const ready = eventsOf(driven.events, "node.accepted").find(({ exit }) => exit === "TestsReady");
    expect(JSON.parse(await driven.context.payloads.text(ready?.ref ?? ""))).toMatchObject({
      pendingCriteria: ["AC-1"],
    });
    for (const { phrase } of claims) expect(logText(driven.events)).toContain(`UNVERIFIED claim "${phrase}"`);
  },
);

verifies(
  "V3-16",
  "MoreTests goes with its tests to TDD and with its critiques to Impl, without tests straight to Impl; an empty one is refused; the attempt stays the same",
  async () => {
    const review = await at("review");
    const refused = eventsOf(driven.events, "report.refused").filter(({ key }) => key === review.key);
    expect(refused.map(({ why }) => why)).toEqual([expect.stringContaining("nothing_asked")]);
    const critiqued = await at("impl", 7);
    expect(critiqued.text).toContain("## Attempt 3 of 5");
    expect(critiqued.text).toContain("- **src/solo.js:2** — terse\n  Fix: name the constant");
    const batch = await at("write_tests", 6);
    expect(batch.text).toContain("- AC-1: `AC-1: is a word` — match it");
    const straight = await at("impl", 8);
    expect(straight.text).toContain("## Attempt 3 of 5");
    expect(straight.text).toContain("- **src/solo.js:2** — still terse\n  Fix: say what it is");
    expect(straight.text).not.toContain("name the constant");
    expect(settlementsOf("write_tests")).toHaveLength(6);
  },
);

verifies(
  "V3-17",
  "retries are counted by the kernel, each prompt has the previous attempts, and a retry of the fifth attempt is Stuck",
  async () => {
    for (const [nth, n, failing] of [
      [6, 2, "test/solo/solo.test.js::AC-1: gives its name"],
      [9, 3, ""],
      [10, 4, ""],
    ] as const) {
      const { text } = await at("impl", nth);
      expect(text).toContain(`## Attempt ${n + 1} of 5`);
      const { diagnosis, strategyFrom, strategyTo } = retry(n);
      for (const told of [diagnosis, strategyFrom, strategyTo]) expect(text).toContain(told);
      // The failing tests are the executed ones.
      expect(text).toContain(`failingTests: ${failing}`);
    }
    expect(driven.end.type).toBe("waiting");
    expect(settlementsOf("impl")).toHaveLength(10);
    const [ask] = settlementsOf("stuck").map(({ command }) => command as Command);
    if (ask?.type !== "ask") throw new Error("nobody is asked");
    const text = await presentAsk(driven.context, ask);
    expect(text).toContain("limit attempt used up: 5 of 5");
    expect(text).toContain("diagnosis: wrong 5");
    expect(text).toContain("recommendation: way 6");
    expect(text).toContain("attempts: 5");
  },
);

verifies(
  "V3-69",
  "a quoted sentence is shown with its place in the spec, and Scaffold settles an ambiguity without a person",
  async () => {
    expect((await at("scaffold", 4)).text).toContain("specSentence: not in the spec");
    expect((await at("scaffold", 5)).text).toContain("specSentence: in AC-1");
    expect(specOf(solo).acceptanceCriteria).toEqual([{ id: "AC-1", text: sentence }]);
    const asks = eventsOf(driven.events, "command.issued").flatMap(({ command }) => {
      const { type, state } = command as Command;
      return type === "ask" ? [state] : [];
    });
    expect(asks).toEqual(["stuck"]);
    expect(refusalsIn(driven.events).length).toBe(2);
  },
);
