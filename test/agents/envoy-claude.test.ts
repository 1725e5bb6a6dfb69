/** Seven concurrent Claude Codes take a plan from its prompts to the merge by the output of `envoy protocol`; their models are scripted. */
import { existsSync } from "node:fs";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { packageRoot } from "../../src/config/package-root.ts";
import { follow, type FollowResult } from "../envoy/follower.ts";
import { createGateWorld, type GateWorld } from "../envoy/gate-world.ts";
import type { Json } from "../envoy/plan-world.ts";
import { commandsIn } from "../envoy/printed-steps.ts";
import { userTextsIn } from "../support/conversation.ts";
import { newFolder } from "../support/folder.ts";
import { startModelServer, type ModelServer } from "../support/model-server.ts";
import { withRealClaude } from "../support/real-agents.ts";
import { claudeHands, type ClaudeHands } from "./claude-hands.ts";
import { answerGates, debugged, layPlan, work } from "./prompts-of-plan.ts";
import { runAsPerson } from "../support/as-person.ts";

withRealClaude("prompts of a plan by real Claude Codes", (file) => {
  let world: GateWorld;
  let server: ModelServer;
  let home: string;
  let base: string;
  const workers = new Map<string, ClaudeHands>();
  const ended = new Map<string, FollowResult>();
  beforeAll(async () => {
    world = await createGateWorld();
    server = await startModelServer();
    home = newFolder();
    await mkdir(join(home, "bin"));
    await symlink(packageRoot("dist/bin/envoy.cjs"), join(home, "bin", "envoy"));
    await layPlan(world);
    base = await world.repository.git("rev-parse", "HEAD");
    server.scriptWith((request) => {
      const id = idOf(userTextsIn(request)[0] ?? "");
      return workers.get(id)?.model(request) ?? { text: `nobody works on ${id}` };
    });
    const isOver = new AbortController();
    const answered = answerGates(world, isOver.signal);
    await Promise.all(Object.keys(work).map(workOn)).finally(() => isOver.abort());
    await answered;
  }, 300_000);

  async function workOn(id: string): Promise<void> {
    const hands = claudeHands(world.repository.dir);
    workers.set(id, hands);
    const protocol = id === debugged ? "debugging" : "implementation";
    const own = join(home, id.replace(" ", "_"));
    await mkdir(own);
    const agent = runAsPerson(file, ["--print", "--allowedTools", "Bash,Read,Write"], {
      cwd: world.repository.dir,
      input: promptFor(protocol, id),
      env: {
        ...world.env,
        PATH: `${join(home, "bin")}:${process.env["PATH"] ?? ""}`,
        HOME: own,
        ANTHROPIC_BASE_URL: server.url,
        ANTHROPIC_API_KEY: "dummy-key-of-the-test",
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        DISABLE_AUTOUPDATER: "1",
      },
      timeoutMs: 250_000,
    });
    const words = `Prompt ${id} is at its end.`;
    const followed = follow(world, hands, { protocol, id, edits: work[id] ?? [], person: [] })
      .then((done) => ended.set(id, done))
      .finally(() => hands.say(words));
    const [executed] = await Promise.all([agent, followed]);
    expect([id, executed.exitCode, executed.stdout.toString("utf8").trim()]).toEqual([id, 0, words]);
  }

  const fieldsOf = (id: string) => world.fields(`prompts/${id.replace(" ", "_")}.md`);
  const show = (at: string) => world.repository.git("show", at);
  const branchOf = (id: string) => `feature/x--implementation-${id.replace(" ", "-")}`;

  test("all reach the printed end, and the plan has no open work", async () => {
    const merged = [...ended].filter(([, followed]) => followed.merged).map(([id]) => id);
    expect([ended.size, merged.sort()]).toEqual([7, ["1 B", "2 A", "3"]]);
    expect(await world.ok(["plan", "next"])).toMatchObject({ done: true, in_progress: [] });
  });

  test("they worked concurrently, ran only printed commands, and no command was refused", async () => {
    const { calls } = (await world.mettle("log")).json as unknown as { calls: readonly Noted[] };
    const texts = [
      await world.envoy(["protocol", "implementation"]),
      await world.envoy(["protocol", "debugging"]),
    ];
    const printed = texts.flatMap(({ stdout }) =>
      commandsIn(stdout).map((command) => command.split(" ").slice(1, 3).join(" ")),
    );
    const laid = new Set(["plan init", "plan write-prompt", "plan next", "protocol"]);
    const executed = calls.filter(({ command }) => !laid.has(command));
    expect(executed.filter(({ command, code }) => !printed.includes(command) || code !== 0)).toEqual([]);

    const spans = Object.keys(work).map((id) => {
      const words = id.split(" ");
      const own = executed.filter(({ arguments: given }) => words.every((word, at) => given[at] === word));
      const times = own.map(({ at }) => Date.parse(at));
      return { first: Math.min(...times), last: Math.max(...times) };
    });
    const [begun, over] = [spans.map(({ first }) => first), spans.map(({ last }) => last)];
    expect(Math.max(...begun)).toBeLessThan(Math.min(...over));
  });

  test("one main variant of each number is merged, as reviewed, tested and executed", async () => {
    const merges = await world.repository.git("log", "--merges", "--format=%s", "feature/x");
    expect(merges.split("\n").sort()).toEqual(
      ["1_B", "2_A", "3"].map((id) => `Merge prompt ${id} implementation`),
    );
    const names = await world.repository.git("diff", "--name-only", base, "feature/x");
    expect(names.split("\n").sort()).toEqual(["src/b.js", "src/price.js", "src/tax.js"]);
    expect(await show("feature/x:src/price.js")).toBe("export const price = 2.5;");
    expect(await show("feature/x:src/tax.js")).toBe("export const tax = 0.1;");
    expect(await show("feature/x:src/b.js")).toBe("\nexport const b = 1;");
    for (const id of ["1 B", "2 A", "3"])
      expect([id, await fieldsOf(id)]).toMatchObject([
        id,
        { status: "merged", in_progress: false, verification: { verdict: "pass" } },
      ]);
    const walkthrough = (await fieldsOf("1 B"))["walkthrough"] as readonly Json[];
    expect(walkthrough.map(({ type }) => type)).toEqual([
      "initial",
      "review-refinement",
      "testing-refinement",
    ]);
  });

  test("alternatives keep branch and worktree; discarded ones are archived without a worktree", async () => {
    const listed = await world.repository.git("worktree", "list", "--porcelain");
    const branches = (await world.repository.git("branch", "--format=%(refname:short)")).split("\n");
    for (const [id, text] of [
      ["1 A", "src/price.js\n\nexport const price = 1;"],
      ["2 C", "src/tax.js\n\nexport const tax = 0.3;"],
    ] as const) {
      const [name = "", content] = text.split("\n\n");
      expect(await fieldsOf(id)).toMatchObject({ variant_solution: "alternative", in_progress: false });
      expect(await show(`${branchOf(id)}:${name}`)).toBe(content);
      const [, path = ""] =
        new RegExp(`^worktree (.*)\\n.*\\nbranch refs/heads/${branchOf(id)}$`, "mu").exec(listed) ?? [];
      expect([id, existsSync(join(path, name))]).toEqual([id, true]);
    }
    for (const [id, text] of [
      ["1 C", "src/price.js\n\nexport const price = 3;"],
      ["2 B", "src/tax.js\n\nexport const tax = 0.2;"],
    ] as const) {
      const [name = "", content] = text.split("\n\n");
      expect(await fieldsOf(id)).toMatchObject({ variant_solution: "discard", in_progress: false });
      expect(await show(`archive/${branchOf(id)}:${name}`)).toBe(content);
      expect([id, branches.includes(branchOf(id)), listed.includes(branchOf(id))]).toEqual([
        id,
        false,
        false,
      ]);
    }
  });
});

interface Noted {
  readonly at: string;
  readonly command: string;
  readonly arguments: readonly string[];
  readonly code: number;
}

/** As /continue delegates. */
function promptFor(protocol: string, id: string): string {
  const [number = "", variant = "null"] = id.split(" ");
  const inputs = `{ prompt_num: ${number}, variant: ${variant}, feature_branch: feature/x }`;
  return `Run \`envoy protocol ${protocol}\` and follow the steps. INPUTS: \`${inputs}\``;
}

function idOf(prompt: string): string {
  const [, number = "", variant = ""] = /prompt_num: (\d+), variant: (\w+)/u.exec(prompt) ?? [];
  return variant === "null" ? number : `${number} ${variant}`;
}
