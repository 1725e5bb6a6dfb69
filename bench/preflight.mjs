// What `mettle run` adds to the base's own suite: from the command to the start of the first agent, the first time and with
// the base proved before, against the project's own test command.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse, stringify } from "yaml";
import { demo, demoRepository } from "./demo-repository.mjs";

const agent = fileURLToPath(new URL("timed-agent.mjs", import.meta.url));
const goal = { first: 2000, proved: 300 };

/**
 * `{suite, first, proved, more, goal}` in milliseconds, medians of `rounds`: `more.first` is what the first run takes beyond the
 * suite, `more.proved` what a second run at the same base takes beyond one without a suite.
 */
export async function run({ rounds = 5, sleepMs = 7000 } = {}) {
  const base = mkdtempSync(join(tmpdir(), "mettle-bench-preflight-"));
  try {
    const turns = join(base, "turns.json");
    const { roles } = parse(readFileSync(join(demo, "honest.yaml"), "utf8"));
    writeFileSync(turns, JSON.stringify({ intake: roles.intake }));
    const measured = [];
    for (let round = 0; round < rounds; round++) measured.push(one({ base, turns, sleepMs, round }));
    const ms = (key) => median(measured.map((each) => each[key]));
    const [suite, first, proved] = [ms("suite"), ms("first"), ms("proved")];
    return { suite, first, proved, more: { first: median(measured.map((e) => e.first - e.suite)) }, goal };
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

function one({ base, turns, sleepMs, round }) {
  const folder = mkdtempSync(join(base, `round-${round}-`));
  const times = join(folder, "times.jsonl");
  const command = [process.execPath, agent, turns, times];
  const { mettle } = demoRepository(folder, {
    "mettle.yaml": stringify({
      version: 1,
      agents: { default: "timed", commands: { timed: { run: command } } },
    }),
    "test/slow.test.js": `import test from "node:test";\ntest("slow", () => new Promise((done) => setTimeout(done, ${sleepMs})));\n`,
  });
  const untilAgent = () => {
    const began = Date.now();
    mettle("run", "@orchestrate Add slugify(text)");
    return lines(times).at(-1).first - began;
  };
  const began = Date.now();
  const ran = spawnSync(process.execPath, ["--test"], {
    cwd: join(folder, "words"),
    env: { PATH: process.env.PATH, HOME: folder },
  });
  if (ran.status !== 0) throw new Error(`the suite fails: ${ran.stdout}`);
  const suite = Date.now() - began;
  return { suite, first: untilAgent(), proved: untilAgent() };
}

function lines(file) {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

function median(list) {
  return list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];
}

if (import.meta.url === `file://${process.argv[1]}`) console.log(JSON.stringify(await run()));
