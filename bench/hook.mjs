// Measures the hook of a tool call: whole processes against `node -e 0`, with and without a run, and against the hook of tdd-guard,
// if it is installed in the user's cache, for a call that neither of them sends to a model.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { paired } from "./measure.mjs";

const mettle = fileURLToPath(new URL("../dist/bin/mettle.cjs", import.meta.url));
const peer = "tdd-guard@1.7.0";
const session = "c6b9af29-bc5e-4274-bae5-b9bc8ea5a768";
const goal = 1.4;

/** One row for the table of docs/benchmarks.md for each candidate. */
export async function run({ rounds = 31 } = {}) {
  const base = mkdtempSync(join(tmpdir(), "bench-hook-"));
  try {
    const [idle, busy] = [repositoryIn(join(base, "idle")), repositoryIn(join(base, "busy"))];
    const env = { METTLE_HOME: join(base, "home") };
    await beginRun(busy, { PATH: process.env.PATH, HOME: base, ...env });
    const hook = { argv: [mettle, "hook"], env };
    const called = { ...hook, cwd: busy, input: inputOf(busy, "PostToolUse", "mcp__mettle__enter", {}) };
    const reads = inputOf(busy, "PreToolUse", "Bash", { command: "git log | head -3" });
    const writes = inputOf(busy, "PreToolUse", "Write", { file_path: join(busy, "README.md"), content: "x" });
    const found = paired(
      {
        "node -e 0": { argv: ["-e", "0"] },
        "mettle hook, no run in hand": {
          ...hook,
          cwd: idle,
          input: inputOf(idle, "PreToolUse", "Bash", { command: "ls" }),
        },
        "mettle hook, the referee was called": called,
        "mettle hook, a command that reads": { ...hook, cwd: busy, input: reads },
        "mettle hook, a write that is refused": { ...hook, cwd: busy, input: writes },
        ...peerOn(busy, writes),
      },
      { rounds },
    );
    return Object.entries(found).map(([what, { ms, ratio }]) => ({
      what,
      ms,
      ratio,
      goal: what.startsWith("mettle") && !what.includes("refused") ? goal : null,
    }));
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

function repositoryIn(folder) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "README.md"), "# One\n");
  writeFileSync(join(folder, "mettle.yaml"), 'version: 1\nrunner: "node:test"\n');
  const person = ["-c", "user.name=A", "-c", "user.email=a@invalid"];
  for (const args of [
    ["init", "-q"],
    ["add", "-A"],
    [...person, "commit", "-qm", "Start"],
  ])
    spawnSync("git", args, { cwd: folder });
  return folder;
}

/** Starts a run in Ω₁ᴾ like a session. */
async function beginRun(cwd, env) {
  const client = new Client({ name: "bench", version: "1" });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [mettle, "mcp"], cwd, env }),
  );
  const answer = await client.callTool({ name: "enter", arguments: { mode: "Ω₁ᴾ", ctx: "Say hello" } });
  await client.close();
  if (answer.isError) throw new Error(JSON.stringify(answer.content));
}

function inputOf(cwd, event, tool, input) {
  return JSON.stringify({
    session_id: session,
    transcript_path: "/dev/null",
    cwd,
    permission_mode: "default",
    hook_event_name: event,
    tool_name: tool,
    tool_input: input,
  });
}

/** Install it by `npm install --prefix ~/.cache/mettle/bench/tdd-guard@1.7.0 tdd-guard@1.7.0`. */
function peerOn(cwd, input) {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
  const file = join(cache, "mettle", "bench", peer, "node_modules/tdd-guard/dist/cli/tdd-guard.js");
  if (existsSync(file)) return { [`${peer}, the same write`]: { argv: [file], cwd, input } };
  process.stderr.write(`bench: ${peer} is not installed, so it has no row\n`);
  return {};
}
