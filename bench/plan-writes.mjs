// Eight processes write approaches and walkthroughs to one plan at once, 1,000 writes each; counts lost acknowledged writes.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";

const writers = 8;

/** `{writers, writes, lost, seconds}` of 1,000 writes each, half of them approaches, or of the given number. */
export async function run({ writes = 1000 } = {}) {
  const base = mkdtempSync(join(tmpdir(), "mettle-bench-plan-"));
  const root = join(base, "repository");
  const env = { PATH: process.env.PATH, HOME: base, METTLE_HOME: join(base, "state") };
  try {
    mkdirSync(root);
    const git = (...args) =>
      execFileSync("git", ["-c", "user.name=b", "-c", "user.email=b@b", ...args], { cwd: root });
    git("init", "--quiet", "--initial-branch=feature/x");
    git("commit", "--quiet", "--allow-empty", "--message", "Begin");
    const envoy = (...args) =>
      execFileSync(process.execPath, [program, ...args], { cwd: root, env, stdio: "pipe" });
    envoy("plan", "init");
    for (let writer = 1; writer <= writers; writer++) {
      const branch = `feature/x--implementation-${writer}`;
      const text = ["--description", "d", "--context", "c", "--criteria", "k", "--files", "a.ts"];
      envoy("plan", "write-prompt", `${writer}`, ...text);
      envoy("plan", "start-prompt", `${writer}`, "--specialist", `w${writer}`, "--worktree", branch);
      envoy("git", "worktree", `${writer}`);
    }
    const began = performance.now();
    const acknowledged = await Promise.all(
      Array.from({ length: writers }, (_, index) => writer({ root, env, number: index + 1, writes })),
    );
    const seconds = (performance.now() - began) / 1000;
    const lost = acknowledged.flatMap((acknowledged, index) => missing(root, index + 1, acknowledged));
    return { writers, writes, acknowledged: acknowledged.flat().length, lost: lost.length, seconds };
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

const here = fileURLToPath(import.meta.url);
const program = join(here, "..", "..", "dist", "bin", "envoy.cjs");

/** Starts a writer. @returns the acknowledged writes */
function writer({ root, env, number, writes }) {
  const child = spawn(process.execPath, [here, "writer", `${number}`, `${writes}`], { cwd: root, env });
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.pipe(process.stderr);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) =>
      code === 0
        ? resolve(output.trim().split("\n"))
        : reject(new Error(`writer ${number} ended with ${code}`)),
    );
  });
}

/** Lost writes: all approaches count, and the last walkthrough of an iteration. */
function missing(root, number, acknowledged) {
  const dir = join(root, ".claude", "plans", "feature-x");
  const findings = parse(readFileSync(join(dir, "findings", `w${number}.yaml`), "utf8"));
  const found = new Set(findings.approaches.map((one) => `approach ${one.number}`));
  const prompt = parse(readFileSync(join(dir, "prompts", `${number}.md`), "utf8").split(/^---$/m)[1]);
  const last = acknowledged.findLast((line) => line.startsWith("walkthrough "));
  found.add(`walkthrough ${/Number (\d+)/.exec(prompt.walkthrough.at(-1).text)?.[1]}`);
  return acknowledged.filter((line) => (line.startsWith("approach ") || line === last) && !found.has(line));
}

async function write(number, writes) {
  const { callTool } = await import(join(here, "..", "..", "dist", "bin", "envoy.js"));
  const manner = { cwd: process.cwd(), texts: "literal", which: "all" };
  const call = async (tool, args, line) => {
    const { exit, text } = await callTool(tool, args, manner);
    if (exit !== 0) throw new Error(text);
    process.stdout.write(`${line}\n`);
  };
  for (let n = 1; n <= writes / 2; n++) {
    const approach = { agent_name: `w${number}`, approach_num: `${n}`, description: `Number ${n}` };
    await call("envoy_plan_write_approach", { ...approach, context: "c", files: ["a.ts"] }, `approach ${n}`);
    const walkthrough = `### Iteration 1\n**Type**: initial\n\n#### Approach\n\nNumber ${n}\n\n#### Changes Made\n\n- \`a.ts\`: new\n\n#### Key Decisions\n\n- one: small\n`;
    const args = { prompt_num: `${number}`, walkthrough, iteration: "1" };
    await call("envoy_plan_record_implementation", args, `walkthrough ${n}`);
  }
}

if (process.argv[2] === "writer") await write(Number(process.argv[3]), Number(process.argv[4]));
else if (process.argv[1] === here) console.log(await run({ writes: Number(process.argv[2] ?? 1000) }));
