/** A root whose children fail in every possible way, one after another, while one of them works on. */
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect } from "vitest";
import type { Command } from "../../src/kernel/command.ts";
import { MergeFailed } from "../../src/protocol/graph-types/feedback.ts";
import { answerAsk } from "../../src/engine/asks/answer.ts";
import { presentAsk } from "../../src/engine/asks/present.ts";
import { openRun } from "../../src/families/open-run.ts";
import { treeStatus } from "../../src/families/graph/view/tree-status.ts";
import { flattenNodes, type NodeStatus } from "../../src/views/tree/tree-status.ts";
import { eventsOf, type DriveResult, type TurnFile, type World } from "../orchestrate/world.ts";
import { newFolder } from "../support/folder.ts";
import { verifies } from "../verifies.ts";
import { wide } from "../wide.ts";
import { dispatchOf } from "./threads-world.ts";
import { tests } from "./by-hand.ts";
import { createTreeWorld, logText, type NodeRoles } from "./world.ts";
import {
  approved,
  childSpec,
  files,
  initWork,
  scaffoldSteps,
  nodesOf,
  passed,
  plan,
  report,
  signals,
  runTree,
  testsReady,
  write,
  type TreeNode,
  type Report,
} from "./story.ts";

const names = ["exc", "crash", "abo", "stk", "lim", "rej", "jud", "ok"];
const top: TreeNode = { id: "top", children: names.map((id) => ({ id })) };
const critique = { file: "src/jud.js", line: 2, issue: "terse", requiredFix: "say more" };
const more = { ...plan("AC-jud"), plannedTestName: "AC-jud: is a word" };
const retry = {
  diagnosis: "no way",
  strategyFrom: "this",
  strategyTo: "that",
  failingTests: [],
};
const rejected = { reason: "it is another thing", missingCriteria: ["AC-rej"] };
const question = {
  question: "without jud?",
  ambiguityReference: "AC-jud",
  specSentence: "jud() gives its name",
};

/** The root's answer to a failure. */
function without(...gone: readonly string[]): Report {
  const children = (top.children ?? []).filter(({ id }) => !gone.includes(id));
  return initWork(top, "AC-1", children);
}

function revised(): Report {
  const right = without();
  const childSpecs = names.map((id) => ({
    ...childSpec({ id }),
    ...(id === "exc" ? { description: "The exc, in small steps" } : {}),
  }));
  return { ...right, payload: { ...(right.payload as object), childSpecs } };
}

function story(folder: string): Record<string, NodeRoles> {
  const nodes = nodesOf(top);
  const { give, await: waits } = signals(folder);
  const gone = (count: number) => without(...names.slice(0, count));
  const set = (node: string, role: string, turns: TurnFile[]) => {
    nodes[node] = { ...nodes[node], [role]: turns };
  };
  const [batch] = nodes["top"]?.["tdd"] ?? [];
  set("top", "tdd", [{ ...batch, does: [waits("end"), ...(batch?.does ?? [])], repeat: true }]);
  set("top", "scaffold", [
    { does: scaffoldSteps(top), report: without() },
    { expects: ["MergeFailed", "top--exc", "AgentFailed"], does: [give("exc")], report: revised() },
    { expects: ["top--exc", "Timeout"], does: [give("crash")], report: gone(1) },
    { expects: ["top--crash"], does: [give("abo")], report: gone(2) },
    { expects: ["top--abo", "Aborted"], does: [give("stk")], report: gone(3) },
    {
      expects: ["top--stk", "Stuck"],
      does: [give("stk-failed"), waits("seen"), give("lim")],
      report: gone(4),
    },
    { expects: ["top--lim", "limit attempt used up"], does: [give("rej")], report: gone(5) },
    { expects: ["top--rej", rejected.reason], does: [give("jud")], report: gone(6) },
    { expects: ["top--jud", "RejectedByParent"], report: report("ClarificationNeeded", question) },
    { expects: ["yes, without it"], does: [give("end")], report: gone(7) },
  ]);
  const says = (code: string) => ({ status: code, message: `${code} it is` });
  set("top--exc", "scaffold", [
    { report: says("EX") },
    { report: says("EX") },
    { does: [waits("exc")], report: says("TO") },
    { report: says("TO") },
  ]);
  set("top--crash", "scaffold", [
    { does: [waits("crash"), { crash: "SIGKILL" }] },
    { does: [{ crash: "SIGKILL" }] },
  ]);
  set("top--abo", "scaffold", [{ does: [waits("abo"), give("abo-hangs"), { hang: true }] }]);
  set("top--stk", "impl", [
    {
      does: [waits("stk"), write("src/half.js", "export const half = 1;\n")],
      report: report("Stuck", { diagnosis: "cannot", recommendation: "ask", attempts: 9 }),
    },
  ]);
  set("top--lim", "impl", [
    { does: [waits("lim")], report: report("RequestRetry", retry) },
    { report: report("RequestRetry", retry), repeat: true },
  ]);
  set("top--rej", "reviewer", [{ does: [waits("rej")], report: report("Reject", rejected) }]);
  set("top--jud", "reviewer", [
    { report: approved },
    {
      expects: ["the judge of your child"],
      does: [waits("jud")],
      report: report("MoreTests", { critiques: [critique], additionalTests: [more] }),
    },
    { report: approved },
    {
      expects: ["the judge of your child"],
      report: report("Reject", { reason: "does not fit", missingCriteria: ["AC-jud"] }),
    },
  ]);
  const word = tests({ "../../src/jud.js": "{ jud }" }, [
    more.plannedTestName,
    "assert.match(jud(), /^\\w+$/);",
  ]);
  set("top--jud", "tdd", [
    ...(nodes["top--jud"]?.["tdd"] ?? []),
    {
      expects: [more.plannedTestName],
      does: [write("test/jud/word.test.js", word)],
      report: testsReady("jud", ["AC-jud"]),
    },
  ]);
  set("top--jud", "impl", [...(nodes["top--jud"]?.["impl"] ?? []), { report: passed }]);
  const [right] = nodes["top--ok"]?.["impl"] ?? [];
  set("top--ok", "impl", [{ ...right, does: [waits("end"), ...(right?.does ?? [])] }]);
  const rest = names.slice(0, -1).join(",");
  const joined = `import { ok } from "./ok.js";\nexport function top() {\n  return \`top(${rest},\${ok()})\`;\n}\n`;
  set("top", "impl", [{ does: [write("src/top.js", joined)], report: passed }]);
  return nodes;
}

describe.skipIf(!wide)("children that fail", () => {
  let world: World;
  let folder: string;
  let driven: DriveResult;
  let stuck: readonly NodeStatus[];
  let asked: string;

  const isThere = async (name: string) => {
    for (let n = 0; n < 9000 && !existsSync(join(folder, name)); n++)
      await new Promise((done) => setTimeout(done, 100));
  };
  async function meanwhile(run: string): Promise<void> {
    await isThere("abo-hangs");
    const { session } = await openRun(world.host, { run });
    const frame = Object.values(session.state.frames).find(({ parent }) => parent?.item === "abo");
    await session.abortNode({ node: "top--abo", frame: frame?.id ?? "", reason: "not needed" });
    await isThere("stk-failed");
    const { nodes } = await treeStatus(await openRun(world.host, { run }), process.pid);
    stuck = flattenNodes(nodes);
    await writeFile(join(folder, "seen"), "");
  }

  beforeAll(async () => {
    folder = newFolder();
    world = await createTreeWorld(files);
    driven = await runTree(world, {
      plant: top,
      nodes: story(folder),
      options: { limits: { scaffold: 50 }, graph: { parallel: 16 } },
      meanwhile,
      answer: async (context, ask) => {
        asked = await presentAsk(context, ask);
        if (ask.state !== "clarify") return null;
        return answerAsk(context, {
          ask,
          outcome: "answer",
          by: { who: "a person", answeredBy: "session", authenticated: false },
          text: "yes, without it",
        });
      },
    });
    if (process.env["SHOW"]) console.log(logText(driven.events));
  }, 900_000);

  const failures = async () =>
    Promise.all(
      eventsOf(driven.events, "node.accepted")
        .filter(({ exit }) => exit === "MergeFailed")
        .map(async ({ ref, seq }) => ({
          seq,
          failure: MergeFailed.parse(JSON.parse(await driven.context.payloads.text(ref))),
        })),
    );

  verifies(
    ["V3-24", "V3-14", "V3-17"],
    "each cause gives one MergeFailed with its fields, and the parent's Scaffold is dispatched with it, without a timer",
    async () => {
      expect(driven.end).toEqual({ type: "ended", outcome: "complete" });
      const told = await failures();
      const short = told.map(({ failure }) => [failure.childId.slice(5), failure.reason, failure.attempts]);
      expect(short).toEqual([
        ["exc", "AgentFailed", 1],
        ["exc", "Timeout", 1],
        ["crash", "AgentFailed", 1],
        ["abo", "Aborted", 1],
        ["stk", "Stuck", 1],
        ["lim", "Stuck", 5],
        ["rej", "Rejected", 1],
        ["jud", "RejectedByParent", 1],
      ]);
      const of = Object.fromEntries(told.map(({ failure }) => [failure.childId.slice(5), failure]));
      const lines = (name: string) => (of[name]?.details ?? "").split("\n");
      expect(lines("stk")).toEqual(
        expect.arrayContaining(["diagnosis: cannot", "recommendation: ask", "attempts: 1"]),
      );
      expect(lines("lim")[0]).toBe("limit attempt used up");
      expect(lines("lim")).toEqual(
        expect.arrayContaining(["diagnosis: no way", "recommendation: that", "attempts: 5"]),
      );
      expect(lines("rej")).toEqual(
        expect.arrayContaining(["reason: it is another thing", "missingCriteria: AC-rej"]),
      );
      expect(lines("jud")).toEqual(
        expect.arrayContaining(["reason: does not fit", "missingCriteria: AC-jud"]),
      );
      for (const name of ["stk", "lim", "rej", "jud"]) {
        expect(of[name]?.branch).toBe(`mettle/${driven.run}/top--${name}`);
        expect(of[name]?.partialCommit).toMatch(/^[0-9a-f]{40}$/u);
        expect(of[name]?.filesCreated).toContain(`test/${name}/${name}.test.js`);
      }
      expect(of["stk"]?.filesCreated).toContain("src/half.js");
      for (const { seq } of told) {
        // If several fail while Scaffold works, the next Scaffold gets all failures.
        const next = eventsOf(driven.events, "command.issued").find(
          (event) => event.seq > seq && (event.command as Command).path === "scaffold",
        );
        expect(next).toBeDefined();
      }
      const types = eventsOf(driven.events, "command.issued").map(({ command }) => (command as Command).type);
      expect(types).not.toContain("timer");
      // A retry beyond the limit: the sixth attempt never starts.
      const lim = eventsOf(driven.events, "dispatch.started").filter(
        ({ node, role }) => node === "top--lim" && role === "impl",
      );
      expect(lim).toHaveLength(5);
    },
  );

  verifies(
    "V3-25",
    "a failed child restarts by a revised spec, is dropped with its failure passed to Impl, or leads to a question; the others are not disturbed, and status shows who is stuck",
    async () => {
      const began = eventsOf(driven.events, "node.began").map(({ node }) => node.slice(5));
      expect(began.filter((id) => id !== "")).toEqual([...names, "exc"]);
      const { text } = await dispatchOf(driven, "top", "impl");
      const told = await failures();
      for (const { failure } of told.slice(1)) {
        expect(text).toContain(`- ${failure.childId} (${failure.reason}, attempts: ${failure.attempts})`);
        if (failure.partialCommit) expect(text).toContain(failure.partialCommit);
      }
      for (const field of Object.values(question)) expect(asked).toContain(field);
      const ok = eventsOf(driven.events, "dispatch.started").filter(({ node }) => node === "top--ok");
      const roles = ok.map(({ role }) => role);
      expect(roles.slice(0, 4)).toEqual(["scaffold", "tdd", "impl", "reviewer"]);
      // A squash is judged again if a sibling was merged in between; nothing else is repeated.
      expect([...new Set(roles.slice(4))]).toEqual(["reviewer", "merger"]);
      const status = stuck.find(({ nodeId }) => nodeId === "top--stk");
      expect(status).toMatchObject({
        state: expect.stringMatching(/^failed/u),
        failure: { reason: "Stuck" },
      });
    },
  );

  verifies(
    "V3-27",
    "the judge's MoreTests goes back to the child's TDD with its requests, and one squash is judged at a time",
    async () => {
      const batch = await dispatchOf(driven, "top--jud", "write_tests", 2);
      expect(batch.text).toContain(more.plannedTestName);
      expect(batch.text).toContain(critique.issue);
      const [, second] = eventsOf(driven.events, "command.issued").filter(({ command }) =>
        (command as Command).path.endsWith("jud/judge"),
      );
      expect(second).toBeDefined();
      let open: string | null = null;
      for (const event of driven.events) {
        const isJudge = event.type === "command.issued" && (event.command as Command).state === "judge";
        if (isJudge) {
          expect(open).toBeNull();
          open = event.key;
        }
        if (event.type === "result" && event.key === open) open = null;
      }
    },
  );
});
