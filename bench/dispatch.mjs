// What Mettle adds to one dispatch: from the command in the journal to the first byte of the prompt at the agent, and from
// the agent's last byte to its journaled result, against starting the same program by hand.
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse, stringify } from "yaml";

const goalMs = 150;
const bin = fileURLToPath(new URL("../dist/bin/mettle.js", import.meta.url));
const agent = fileURLToPath(new URL("timed-agent.mjs", import.meta.url));
const demo = fileURLToPath(new URL("../protocols/orchestrate/demo", import.meta.url));

/** `{before, after, byHand: {before, after}, share, goalMs}` in milliseconds, medians of `rounds` planner dispatches. */
export async function run({ rounds = 9 } = {}) {
  const base = mkdtempSync(join(tmpdir(), "mettle-bench-dispatch-"));
  try {
    const turns = join(base, "turns.json");
    const { roles } = parse(readFileSync(join(demo, "honest.yaml"), "utf8"));
    writeFileSync(turns, JSON.stringify({ intake: roles.intake, planner: roles.planner }));
    const measured = [];
    const byHand = [];
    for (let round = 0; round < rounds; round++) {
      measured.push(dispatch({ folder: join(base, `run-${round}`), turns }));
      byHand.push(await start({ folder: base, turns, times: join(base, `hand-${round}.jsonl`) }));
    }
    const [before, after] = [median(measured, "before"), median(measured, "after")];
    const hand = { before: median(byHand, "before"), after: median(byHand, "after") };
    return { before, after, byHand: hand, share: before + after - hand.before - hand.after, goalMs };
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

function dispatch({ folder, turns }) {
  const repository = join(folder, "words");
  const times = join(folder, "times.jsonl");
  cpSync(join(demo, "repository"), repository, { recursive: true });
  const command = [process.execPath, agent, turns, times];
  writeFileSync(
    join(repository, "mettle.yaml"),
    stringify({ version: 1, agents: { default: "timed", commands: { timed: { run: command } } } }),
  );
  const git = (...args) =>
    execFileSync("git", ["-c", "user.name=b", "-c", "user.email=b@b", ...args], { cwd: repository });
  git("init", "--quiet");
  git("add", "--all");
  git("commit", "--quiet", "--message=base");
  const env = { PATH: process.env.PATH, HOME: folder, METTLE_HOME: join(folder, "state") };
  const mettle = (...args) => json(execFile([bin, ...args, "--json"], { cwd: repository, env }));
  const { run: id } = mettle("run", "@orchestrate Add slugify(text)");
  mettle("answer", id, ...[1, 2, 3, 4, 5].map((n) => `Q${n}=as the task says`));
  const { events } = mettle("log", id);
  const { first, last } = lines(times).find(({ role }) => role === "planner");
  // The gate's result and the planner's command are one append.
  return {
    before: first - at(events, /^gate spec: pass/u),
    after: at(events, /^planning#1 -> WRITTEN/u) - last,
  };
}

function at(events, pattern) {
  const found = events.find(({ text }) => pattern.test(text));
  if (!found) throw new Error(`the log has no line ${pattern}`);
  return Date.parse(found.at);
}

/** The end of the program is noticed by hand as it is by Mettle: when its process is gone. */
function start({ folder, turns, times }) {
  return new Promise((resolve) => {
    const began = Date.now();
    const child = spawn(process.execPath, [agent, turns, times], {
      cwd: folder,
      stdio: ["pipe", "ignore", "ignore"],
    });
    child.stdin.end("a prompt\n");
    child.on("close", () => {
      const ended = Date.now();
      const [{ first, last }] = lines(times);
      resolve({ before: first - began, after: ended - last });
    });
  });
}

function execFile(argv, options) {
  try {
    return execFileSync(process.execPath, argv, {
      ...options,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  } catch (error) {
    return error.stdout; // a run that waits for a person ends with 3
  }
}

function json(text) {
  return JSON.parse(text);
}

function lines(file) {
  return readFileSync(file, "utf8").split("\n").filter(Boolean).map(json);
}

function median(list, key) {
  return list.map((one) => one[key]).toSorted((a, b) => a - b)[Math.floor(list.length / 2)];
}

if (import.meta.url === `file://${process.argv[1]}`) console.log(JSON.stringify(await run()));
