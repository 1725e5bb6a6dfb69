/** How Envoy parses a line: common options, free texts, lists, help and typing errors. */
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { packageRoot } from "../../src/config/package-root.ts";
import { envoy } from "../../src/envoy/envoy.ts";
import { usageOf } from "../../src/lib/command-line/usage.ts";
import { commands, program as envoyProgram } from "../../src/envoy/table.ts";
import { readWait } from "../../src/envoy/wait.ts";
import { readWalkthrough } from "../../src/plans/prompt/walkthrough.ts";
import { callHere } from "../cli/here.ts";
import { inCi, verifies, verifiesInCi } from "../verifies.ts";
import {
  createPlanWorld,
  promptText,
  record,
  start,
  walkthrough,
  type Json,
  type PlanWorld,
} from "./plan-world.ts";

const program = packageRoot("dist", "bin", "envoy.js");

let world: PlanWorld;
beforeAll(async () => {
  world = await createPlanWorld();
  await world.ok(["plan", "init"]);
  await world.ok(["plan", "write-prompt", "1", ...promptText]);
  await world.ok(start("1"));
});

const help = async (...words: string[]) =>
  (await callHere([...words, "--help"], { cwd: world.repository.dir, env: world.env }, envoy)).stdout;

verifies(
  "ENV-21",
  "commands run from any folder with the common options, and a typing error gets the nearest name",
  async () => {
    const { path } = (await world.ok(["git", "worktree", "1"])) as { path: string };
    for (const cwd of [world.repository.dir, path])
      expect(await world.ok(["plan", "next"], join(cwd, "src", "deep"))).toMatchObject({
        in_progress: ["1"],
      });
    const options = ["--agent", "backend_1", "--feature-branch", "feature/x", "--wait", "5"];
    const answer = await world.ok(["plan", "next"]);
    for (const line of [
      [...options, "plan", "next"],
      ["plan", "next", ...options],
      ["--agent=backend_1", "plan", "next", "--wait=0.5", "--json"],
    ])
      expect(await world.ok(line)).toEqual(answer);
    const elsewhere = ["--feature-branch", "feature/none", "plan", "next"];
    expect(await world.refused(elsewhere)).toMatchObject({ type: "no_plan" });
    expect([readWait("5"), readWait("0.5"), readWait(null)]).toEqual([5000, 500, null]);
    const log = await callHere(["log", "--json"], { cwd: world.repository.dir, env: world.env });
    const { calls } = JSON.parse(log.stdout) as { calls: { command: string; agent: string | null }[] };
    const callers = calls.filter(({ command }) => command === "plan next").map(({ agent }) => agent);
    expect(callers.slice(-4)).toEqual(["backend_1", "backend_1", "backend_1", null]);
    const all = await help();
    for (const command of commands) expect(all).toContain(`\n  ${usageOf(envoyProgram, command)}\n`);
    for (const text of ["--agent", "--feature-branch", "--wait", "envoy protocol <name>"])
      expect(all).toContain(text);
    expect(all).toContain("envoy plan read-prompt <prompt_num> [<variant>]\n");
    expect(await help("plan", "next")).toContain("-n|--number");
    expect(await help("git")).toContain("envoy git worktree <prompt_num> [<variant>]");
    // --help works after a word, an option or its value, and before another, but not after `--` (fault L4).
    const started = await help("plan", "start-prompt");
    expect(started).toMatch(/^usage: envoy plan start-prompt /u);
    expect(await help("plan", "start-prompt", "1", "A")).toBe(started);
    expect(await help("--agent", "a", "plan", "start-prompt", "1", "--specialist", "a")).toBe(started);
    expect(await help("plan", "start-prompt", "1", "--help", "--specialist", "a")).toBe(started);
    expect(await world.refused(["git", "commit", "1", "--message", "m", "--", "--help"])).toMatchObject({
      message: expect.stringMatching(/one argument too many|variant|--help/u) as string,
    });
    const slips: readonly (readonly [readonly string[], string])[] = [
      [["plan", "read-promt", "1"], "envoy plan read-prompt"],
      [["paln", "next"], "envoy plan"],
      [["protocl"], "envoy protocol"],
      [["--agent", "a", "git", "worktre"], "envoy git worktree"],
      [["plan", "start-prompt", "1", "--specailist", "a"], "--specialist"],
      [["plan", "next", "--agnet", "a"], "--agent"],
    ];
    for (const [line, near] of slips) {
      const refused = await world.refused(line);
      expect([line, refused]).toMatchObject([line, { code: 2, type: "usage" }]);
      expect(refused.suggestion).toContain(near);
    }
    for (const line of [
      ["plan"],
      ["plan", "read-prompt"],
      ["plan", "read-prompt", "1", "A", "more"],
      ["plan", "next", "-n"],
      ["plan", "next", "-n", "1", "-n", "2"],
      ["plan", "write-prompt", "1", "--debug=yes"],
      ["plan", "next", "--wait", "541"],
      ["plan", "next", "--wait", "soon"],
      ["--agent"],
    ])
      expect([line, await world.refused(line)]).toMatchObject([line, { code: 2, type: "usage" }]);
  },
);

const odd = "\n#### Approach is `a`\n$(touch x) \"q\" 'q' \\n Ω\t \r\n--- \n- @\0".replace("\0", "") + "\n\n";

verifiesInCi(
  "ENV-28",
  "a free text comes from the line, a file or stdin, and is stored byte for byte",
  async () => {
    const text = walkthrough(1, "initial", odd.trim());
    await writeFile(join(world.repository.dir, "w.md"), text);
    await world.ok(record("1", 1, "@w.md"));
    const entries = (await world.fields("prompts/1.md"))["walkthrough"] as readonly Json[];
    expect(entries[0]).toMatchObject({ text, approach: odd.trim().replaceAll("\r\n", "\n") });
    // File names are relative to the folder of the call.
    await world.ok(
      ["plan", "write-notes", "a", "--notes", "@../../w.md"],
      join(world.repository.dir, "src", "deep"),
    );
    expect(await world.fields("findings/a.yaml")).toMatchObject({ notes: text });
    for (const notes of ["@@home", "--- not an option", "- a bullet", "a=b"]) {
      await world.ok(["plan", "write-notes", "a", `--notes`, notes]);
      expect(await world.fields("findings/a.yaml")).toMatchObject({ notes: notes.replace("@@", "@") });
    }
    const write = (context: string) =>
      spawnSync(
        process.execPath,
        [program, "plan", "write-prompt", "1", "--context", "-", "--description", context],
        { cwd: world.repository.dir, env: world.env, input: odd, encoding: "utf8", timeout: 60_000 },
      );
    expect(JSON.parse(write("d").stdout)).toMatchObject({ status: "success" });
    expect(await world.ok(["plan", "read-prompt", "1"])).toMatchObject({
      content: `# Approach & Plan\n\n${odd}`,
      front_matter: { description: "d" },
    });
    expect(JSON.parse(write("-").stdout)).toMatchObject({ error: { type: "usage" } });
    await writeFile(join(world.repository.dir, "latin"), Buffer.from([0x66, 0xe9]));
    for (const notes of ["@none.md", "@src", "@latin"])
      expect(await world.refused(["plan", "write-notes", "a", "--notes", notes])).toMatchObject({
        type: "usage",
      });
    expect(execFileSync("ls", { cwd: world.repository.dir, encoding: "utf8" })).not.toMatch(/^x$/mu);
  },
);

verifies("ENV-28", "exactly the printed protocols that pass a text say how to pass it", async () => {
  const printed = async (name: string) =>
    (await callHere(["protocol", name], { cwd: world.repository.dir, env: world.env }, envoy)).stdout;
  for (const name of ["implementation", "debugging", "discovery", "bug-discovery"])
    expect(await printed(name)).toMatch(
      /^## Steps\n\nPass a text that has backticks, quotes or line breaks by file: `--context @FILE`/mu,
    );
  const own =
    "name: own\ndescription: Own\nextends: null\nsteps:\n  1: Do `envoy plan next` with --context\n";
  await world.repository.write({ ".claude/protocols/own.yaml": own });
  expect(await printed("own")).toMatch(/^## Steps\n\n1: Do/mu);
});

verifiesInCi(
  "ENV-28",
  "a list option is split if given once, and each value is one item if repeated",
  async () => {
    const files = async (...words: string[]) => {
      await world.ok(["plan", "write-prompt", "1", ...words.flatMap((word) => ["--files", word])]);
      return (await world.fields("prompts/1.md"))["relevant_files"];
    };
    expect(await files("a,b")).toEqual(["a", "b"]);
    expect(await files("a,b", "c,d.ts")).toEqual(["a,b", "c,d.ts"]);
    expect(await files("a,b", "")).toEqual(["a,b"]);
    expect(await files("@types/a.ts")).toEqual(["@types/a.ts"]);
    await writeFile(join(world.repository.dir, "q.txt"), "Why?|How?\nSo?");
    const text = ["--description", "x", "--context", "x", "--files", "a"];
    const questions = async (...words: string[]) => {
      await world.ok([
        "plan",
        "write-approach",
        "a",
        "1",
        ...text,
        ...words.flatMap((word) => ["--questions", word]),
      ]);
      const [approach] = (await world.fields("findings/a.yaml"))["approaches"] as readonly Json[];
      return (approach?.["required_clarifying_questions"] as { question: string }[]).map(
        (one) => one.question,
      );
    };
    expect(await questions("a|b")).toEqual(["a", "b"]);
    expect(await questions("a|b", "@@c")).toEqual(["a|b", "@c"]);
    expect(await questions("@q.txt")).toEqual(["Why?", "How?\nSo?"]);
    expect(await questions()).toEqual([]);
  },
);

test("every command has its own help, and inputs with distinct names", async () => {
  for (const { name, summary, inputs } of commands) {
    const text = await help(...name.split(" "));
    expect(text).toContain(summary);
    for (const input of inputs) expect(text).toContain(input.about);
    expect(new Set(inputs.map((input) => input.name)).size).toBe(inputs.length);
    const places = inputs.filter(({ place }) => place === "argument").map(({ required }) => required);
    expect(places).toEqual(places.toSorted((a, b) => Number(b) - Number(a)));
  }
});

inCi("the example lines of docs/envoy.md parse, and its walkthrough is valid", async () => {
  const page = readFileSync("docs/envoy.md", "utf8");
  const [, example = ""] = /^```\n(### Iteration[\s\S]*?)^```$/mu.exec(page) ?? [];
  expect(readWalkthrough(example)).toMatchObject({
    iteration: 2,
    changes: [{ file: "src/search/index.ts" }],
  });
  await world.repository.write({
    ".claude/plans": null,
    "context.md": "All",
    "prompt.md": "How",
    "walkthrough.md": walkthrough(1),
  });
  const [, fence = ""] = /^```bash\n(envoy plan init[\s\S]*?)^```$/mu.exec(page) ?? [];
  const lines = fence.trimEnd().split("\n");
  expect(lines).toHaveLength(7);
  for (const line of lines) {
    const words = [...line.matchAll(/"([^"]*)"|(\S+)/gu)].map(([, quoted, plain]) => quoted ?? plain ?? "");
    await world.ok(words.slice(1));
  }
  expect(await world.fields("prompts/1.md")).toMatchObject({ status: "implemented" });
});
