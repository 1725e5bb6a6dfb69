// Measures the overhead of Mettle for one dispatch: from the command in the journal to the first byte of the prompt at the agent,
// and from the agent's last byte to its journaled result, against starting the same program by hand.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse, stringify } from "yaml";
import { answers, demo, demoRepository } from "./demo-repository.mjs";

const goalMs = 150;
const agent = fileURLToPath(new URL("timed-agent.mjs", import.meta.url));

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
  mkdirSync(folder);
  const times = join(folder, "times.jsonl");
  const command = [process.execPath, agent, turns, times];
  const { mettle } = demoRepository(folder, {
    "mettle.yaml": stringify({
      version: 1,
      agents: { default: "timed", commands: { timed: { run: command } } },
    }),
  });
  const { run: id } = mettle("run", "@orchestrate Add slugify(text)");
  mettle("answer", id, ...answers);
  const { events } = mettle("log", id);
  const { first, last } = lines(times).find(({ role }) => role === "planner");
  // One append has the gate's result and the planner's command.
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

/** Starts the program by hand. As for Mettle, its end is the end of its process. */
function start({ folder, turns, times }) {
  return new Promise((resolve) => {
    const began = Date.now();
    const child = spawn(process.execPath, [agent, turns, times], {
      cwd: folder,
      // The same environment as under Mettle.
      env: { PATH: process.env.PATH, HOME: folder },
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

function lines(file) {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

function median(list, key) {
  return list.map((one) => one[key]).toSorted((a, b) => a - b)[Math.floor(list.length / 2)];
}

if (import.meta.url === `file://${process.argv[1]}`) console.log(JSON.stringify(await run()));
