/** An agent that knows nothing but what `envoy protocol` prints goes from the first step to the last. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, vi } from "vitest";
import { stringify } from "yaml";
import { verifies } from "../verifies.ts";
import { wide } from "../wide.ts";
import { createGateWorld, type GateWorld } from "./gate-world.ts";
import { promptText, walkthrough, type Json } from "./plan-world.ts";

// A whole protocol in each.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

let world: GateWorld;
beforeAll(async () => {
  world = await createGateWorld();
});
afterAll(() => world.remove());
beforeEach(() => world.reset());

/** What a person answers to the gates, in this order. */
type Person = readonly (readonly [gate: string, fields: Readonly<Record<string, string>>, logs?: string])[];

interface Work {
  readonly protocol: "implementation" | "debugging";
  readonly id: string;
  /** What the agent writes when it implements, one after the other. */
  readonly edits: readonly Readonly<Record<string, string>>[];
  readonly person: Person;
}

/** Runs the commands of each printed step as they stand there, and nothing else of Envoy. */
async function follow({ protocol, id, edits, person }: Work) {
  const printed = await world.envoy(["protocol", protocol]);
  const steps = stepsIn(printed.stdout);
  const answers = [...person];
  const left = [...edits];
  const ran: string[] = [];
  const state = { iteration: 1, reason: "", type: "initial", cwd: world.repository.dir, edits: left };
  const [number = "", variant] = id.split(" ");

  const words = (command: string): readonly string[] =>
    [...command.matchAll(/"[^"]*"|[^\s[\]]+/gu)]
      .map(([word]) => word.replaceAll('"', ""))
      .flatMap((word): readonly string[] => {
        const name = /^<(.*)>$/u.exec(word)?.[1]?.toUpperCase();
        switch (name) {
          case undefined:
            return word === "envoy" ? [] : [word];
          case "PROMPT_NUM":
            return [number];
          case "VARIANT":
            return variant === undefined ? [] : [variant];
          case "AGENT_NAME":
            return ["worker"];
          case "WORKTREE_BRANCH":
            return [`feature/x--implementation-${id.replace(" ", "-")}`];
          case "ITERATION":
            return [`${state.iteration}`];
          case "STRUCTURED_WALKTHROUGH":
            return [walkthrough(state.iteration, state.type)];
          case "REFINEMENT_REASON":
            return [state.reason];
          case "MESSAGE":
            return [`Iteration ${state.iteration}`];
          default:
            throw new Error(`nobody knows ${word}`);
        }
      });
  const call = async (command: string): Promise<Json> => {
    const line = words(command).filter(
      (word, at, all) => word !== "" || all[at - 1] !== "--refinement-reason",
    );
    const whole = line.at(-1) === "--refinement-reason" ? line.slice(0, -1) : line;
    ran.push(whole.slice(0, 2).join(" "));
    const waits = whole.some((word) => word.startsWith("block-"));
    if (waits) {
      const asked = await world.envoy([...whole, "--wait", "0"], state.cwd);
      const [gate, fields, logs] = answers[0] ?? ["", {}];
      if (asked.code === 3 && gate !== "") {
        answers.shift();
        if (logs !== undefined) await writeFile(world.place(`${gate}_logs.md`), logs);
        await world.answer(gate, fields);
      }
    }
    const data = await world.ok(whole, state.cwd);
    if (typeof data["path"] === "string" && whole.includes("worktree")) state.cwd = data["path"];
    return data;
  };
  const edit = async () => {
    for (const [file, text] of Object.entries(state.edits.shift() ?? {})) {
      await mkdir(dirname(join(state.cwd, file)), { recursive: true });
      await writeFile(join(state.cwd, file), text);
    }
  };
  const refine = (source: "review" | "testing", text: unknown) => {
    state.iteration += 1;
    state.type = `${source}-refinement`;
    state.reason = `${source === "review" ? "Review" : "Testing"} feedback: ${String(text)}`;
  };

  let next = 1;
  for (let turns = 0; next <= steps.length; turns++) {
    expect(turns).toBeLessThan(60);
    const step = steps[next - 1] ?? "";
    const own = next;
    next += 1;
    const commands = commandsIn(step);
    const find = (part: string) => commands.find((command) => command.includes(part));
    const goTo = Number(/\*\*Go to step (\d+)\*\*/u.exec(step)?.[1] ?? own + 1);
    if (step.startsWith("Implement ")) {
      await edit();
      continue;
    }
    const [review, change, gate] = [
      find("gemini review"),
      step.startsWith("If suggested_changes"),
      find("testing-gate"),
    ];
    if (review !== undefined) {
      for (let verdict = await call(review); verdict["verdict"] !== "passed"; verdict = await call(review)) {
        // The next two steps, which are repeated until it passes.
        refine("review", verdict["suggested_changes"]);
        await edit();
        await call(commandsIn(steps[own] ?? "").find((one) => one.includes("record-implementation")) ?? "");
        await call(commandsIn(steps[own + 1] ?? "").find((one) => one.includes("git commit")) ?? "");
      }
    } else if (change) continue;
    else if (gate !== undefined) {
      const { passed, ...told } = await call(gate);
      if (passed === true) continue;
      refine("testing", told["user_required_changes"] ?? told["refinements"]);
      next = goTo;
    } else if (find("variants-gate") !== undefined) {
      const { variant_solution } = await call(find("variants-gate") ?? "");
      if (variant_solution === "main") continue;
      if (variant_solution === "discard") await call(find("discard-worktree") ?? "");
      return { ran, merged: false };
    } else if (find("git worktree") !== undefined) {
      await call(find("git worktree") ?? "");
      await call(find("diff-base") ?? "");
    } else for (const command of commands) await call(command);
  }
  expect(answers).toEqual([]);
  return {
    ran,
    merged: (await world.ok(["plan", "complete-prompt", ...id.split(" ")]))["status"] === "merged",
  };
}

function stepsIn(text: string): readonly string[] {
  const below = text.slice(text.indexOf("## Steps"));
  return below
    .split(/^(?=\d+: )/mu)
    .slice(1)
    .map((step) => step.replace(/^\d+: /u, ""));
}

/** Those in backticks. */
function commandsIn(step: string): readonly string[] {
  return [...step.matchAll(/`(envoy [^`]*)`/gu)].map(([, command = ""]) => command);
}

async function reviewer(...said: readonly object[]): Promise<void> {
  const turns = said.map((one) => ({ does: [{ say: JSON.stringify(one) }] }));
  await world.repository.write({
    "mettle.yaml": "version: 1\nagents: { roles: { reviewer: 'scripted:review.yaml' } }\n",
    "review.yaml": stringify({ version: 1, kind: "cassette", roles: { reviewer: turns } }),
  });
}

const passes = { verdict: "passed" };

verifies(
  "ENV-89",
  "an agent that only follows the printed steps merges a feature and a fix, with a failed review and a failed test",
  async () => {
    await world.repository.write({
      ".gitignore": "mettle.yaml\nreview.yaml\n",
      "package.json": '{ "name": "shop", "type": "module" }\n',
      "test/base.test.js": 'import { test } from "node:test";\ntest("base", () => {});\n',
    });
    await world.repository.git("add", "-A");
    await world.repository.git("commit", "--quiet", "-m", "A shop");
    const base = await world.repository.git("rev-parse", "feature/x");
    await world.ok(["plan", "write-prompt", "1", ...promptText, "--requires-testing"]);
    await reviewer({ verdict: "failed", suggested_changes: "Say 2" }, passes, passes);
    const price = (value: number) => ({ "src/a.ts": `export const a = ${value};\n` });
    const feature = await follow({
      protocol: "implementation",
      id: "1",
      edits: [price(1), price(2), price(3)],
      person: [
        ["1_testing", { test_passed: "false", user_required_changes: "Say 3" }],
        ["1_testing", { test_passed: "true" }],
      ],
    });
    expect(feature.merged).toBe(true);
    const { walkthrough: told, verification } = (await world.fields("prompts/1.md")) as {
      walkthrough: Json[];
      verification: Json;
    };
    expect(told.map(({ type }) => type)).toEqual(["initial", "review-refinement", "testing-refinement"]);
    expect(verification).toMatchObject({ verdict: "pass" });
    expect(await world.repository.git("diff", "--name-only", base, "feature/x")).toBe("src/a.ts");
    expect(await world.repository.git("show", "feature/x:src/a.ts")).toBe("export const a = 3;");

    // The same again with what a fix has beside it.
    if (!wide) return;
    const fixed = await world.repository.git("rev-parse", "feature/x");
    await world.ok(["plan", "write-prompt", "2", ...promptText, "--debug"]);
    await reviewer({ verdict: "failed", suggested_changes: "Why 4?" }, passes, passes);
    const fix = (value: number) => ({
      "src/b.js": `// [DEBUG-TEMP]\nconsole.log("b");\n\nexport const b = ${value};\n`,
    });
    const debugged = await follow({
      protocol: "debugging",
      id: "2",
      edits: [fix(0), fix(4), fix(5), fix(6)],
      person: [
        ["2_logging", { thoughts: "it is 0" }, "b is 0\n"],
        ["2_testing", { test_passed: "false", user_required_changes: "Say 6" }],
        ["2_testing", { test_passed: "true" }],
      ],
    });
    expect(debugged.merged).toBe(true);
    for (const command of [
      "plan block-debugging-logging-gate",
      "plan cleanup-debug-logs",
      "git merge-worktree",
    ])
      expect(debugged.ran).toContain(command);
    const types = ((await world.fields("prompts/2.md"))["walkthrough"] as Json[]).map(({ type }) => type);
    expect(types).toEqual(["initial", "review-refinement", "testing-refinement"]);
    expect(await world.repository.git("diff", "--name-only", fixed, "feature/x")).toBe("src/b.js");
    expect(await readFile(join(world.repository.dir, "src/b.js"), "utf8")).toBe("\nexport const b = 6;\n");
    expect(await world.repository.git("grep", "-c", "DEBUG-TEMP", "feature/x").catch(() => "none")).toBe(
      "none",
    );
  },
);
