/** Several concurrent agents in separate processes, some of them killed. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { beforeAll, expect } from "vitest";
import { packageRoot } from "../../src/config/package-root.ts";
import { readFindings } from "../../src/plans/findings/findings.ts";
import { listPrompts } from "../../src/plans/prompt/prompt.ts";
import { verifies, verifiesInCi } from "../verifies.ts";
import { wide } from "../wide.ts";
import { createGateWorld } from "./gate-world.ts";
import { killEverywhere } from "./plan-kills.ts";
import { createPlanWorld, promptText, record, start, walkthrough, type PlanWorld } from "./plan-world.ts";

const program = packageRoot("dist", "bin", "envoy.js");
const agents = 20;
const specialists = ["frontend", "backend_1", "backend_2", "mobile"];

let world: PlanWorld;
beforeAll(async () => {
  world = await createPlanWorld();
  await world.ok(["plan", "init"]);
  for (let number = 1; number <= agents; number++)
    await world.ok(["plan", "write-prompt", `${number}`, ...promptText]);
});

/** The calls of one agent, in order. */
function linesOf(agent: number): readonly (readonly string[])[] {
  const own = `${agent + 1}`;
  const approach = ["--description", `by ${agent}`, "--context", "x".repeat(2000), "--files", "src/a.ts"];
  return [
    ["plan", "write-approach", specialists[agent % specialists.length] ?? "", own, ...approach],
    start(own, `agent-${agent}`),
    record(own, 1, walkthrough(1, "initial", `by ${agent}`)),
  ];
}

/** A process that calls `envoy` with each line and prints the line's number before and after. */
const agentProgram = `
  const [program, lines] = process.argv.slice(1);
  import(program).then(async ({ envoy }) => {
    for (const [index, line] of JSON.parse(lines).entries()) {
      console.log("begin " + index);
      console.log("end " + index + " " + (await envoy(line)));
    }
  });`;

const longestMs = 100_000;

interface Ended {
  readonly begun: number;
  /** The number of successful calls. */
  readonly acknowledged: number;
}

/** @param killIn the call during which the process is killed; null to let it end */
async function agent(lines: readonly (readonly string[])[], killIn: number | null): Promise<Ended> {
  const argv = ["-e", agentProgram, pathToFileURL(program).href, JSON.stringify(lines)];
  const child = spawn(process.execPath, argv, {
    cwd: world.repository.dir,
    env: world.env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    if (chunk.includes(`begin ${killIn}`)) setTimeout(() => child.kill("SIGKILL"), Math.random() * 100);
  });
  const limit = setTimeout(() => child.kill("SIGKILL"), longestMs);
  await once(child, "close");
  clearTimeout(limit);
  const output = Buffer.concat(chunks).toString();
  return {
    begun: [...output.matchAll(/^begin /gmu)].length,
    acknowledged: [...output.matchAll(/^end \d+ 0$/gmu)].length,
  };
}

/** Expects that every file is whole and has the acknowledged content. */
async function expectPresent(ended: readonly Ended[]): Promise<void> {
  const plan = { dir: world.dir };
  const prompts = new Map((await listPrompts(plan)).map((prompt) => [prompt.id.number, prompt.fields]));
  const findings = new Map(
    await Promise.all(specialists.map(async (name) => [name, await readFindings(plan, name)] as const)),
  );
  for (const [index, { acknowledged }] of ended.entries()) {
    const approaches = findings.get(specialists[index % specialists.length] ?? "")?.approaches;
    const fields = prompts.get(index + 1);
    if (acknowledged >= 1)
      expect(approaches?.find(({ number }) => number === index + 1)?.description).toBe(`by ${index}`);
    if (acknowledged >= 2)
      expect(fields).toMatchObject({ in_progress: true, delegated_to: `agent-${index}` });
    if (acknowledged >= 3) expect(fields?.walkthrough).toMatchObject([{ approach: `by ${index}` }]);
  }
}

async function twentyAtOnce(): Promise<void> {
  const all = Array.from({ length: agents }, (_, index) => index);
  // Half of them are killed during their work.
  const first = await Promise.all(
    all.map((index) => agent(linesOf(index), index % 2 === 0 ? index % 3 : null)),
  );
  await expectPresent(first);
  for (const [index, { acknowledged }] of first.entries())
    if (index % 2 === 1) expect(acknowledged).toBe(linesOf(index).length);
  // A killed agent repeats its last call and continues.
  const killed = all.filter((index) => (first[index]?.acknowledged ?? 0) < linesOf(index).length);
  expect(killed.length).toBeGreaterThan(0);
  const rest = (index: number) => linesOf(index).slice(Math.max((first[index]?.begun ?? 0) - 1, 0));
  const second = await Promise.all(killed.map((index) => agent(rest(index), null)));
  expect(second.map(({ acknowledged }) => acknowledged)).toEqual(killed.map((index) => rest(index).length));
  await expectPresent(all.map((index) => ({ begun: 0, acknowledged: linesOf(index).length })));
  expect(await world.fields("plan.md")).toMatchObject({ stage: "in_progress" });
  await world.ok(["plan", "init"]);
  await expectSwept(world);
}

/** Expects no temporary files of killed writers. */
async function expectSwept({ dir }: PlanWorld): Promise<void> {
  expect((await readdir(dir, { recursive: true })).filter((name) => name.endsWith(".tmp"))).toEqual([]);
}

verifiesInCi(
  "ENV-96",
  "20 processes lose nothing, and kill -9 at any step leaves each file whole, the gate open or answered, and the call repeatable",
  async () => {
    await twentyAtOnce();
    const other = await createGateWorld();

    expect(await killEverywhere(other)).toBeGreaterThanOrEqual(8);
    await other.ok(["plan", "init"]);
    await expectSwept(other);
  },
  wide ? 1_800_000 : 300_000,
);

verifies(
  "ENV-39",
  "start-prompt assigns a prompt to one of several callers, and refuses blocked and decided prompts and wrong branches",
  async () => {
    await world.ok(["plan", "write-prompt", "50", ...promptText]);
    const names = ["a", "b", "c", "d"];
    const answers = await Promise.all(
      names.map(
        (name) =>
          new Promise<{ status: string; error?: { type: string; message: string } }>((resolve) =>
            execFile(
              process.execPath,
              [program, ...start("50", name)],
              { cwd: world.repository.dir, env: world.env, timeout: 60_000 },
              (_, stdout) => resolve(JSON.parse(stdout) as { status: string }),
            ),
          ),
      ),
    );
    const owner = (await world.fields("prompts/50.md"))["delegated_to"] as string;
    expect(answers.map(({ status }) => status).toSorted()).toEqual(["error", "error", "error", "success"]);
    expect(answers[names.indexOf(owner)]).toMatchObject({ status: "success" });
    for (const { error } of answers)
      if (error !== undefined)
        expect(error).toMatchObject({
          type: "already_in_progress",
          message: expect.stringContaining(owner) as string,
        });
  },
);
