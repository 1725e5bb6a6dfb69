// Measures the time from `mettle run` to the start of the first agent, the first time and with a proved base, against the
// project's own test command.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse, stringify } from "yaml";
import { demo, demoRepository } from "./demo-repository.mjs";
import { median } from "./measure.mjs";

const agent = fileURLToPath(new URL("timed-agent.mjs", import.meta.url));
const goal = { first: 2000, proved: 300 };

/**
 * `{suite, first, proved, noTests, more, goal}` in milliseconds, medians of `rounds`. `more.first` is the first run minus the
 * suite; `more.proved` a run at a proved base minus one whose base has no test.
 */
export async function run({ rounds = 5, sleepMs = 7000 } = {}) {
  const base = mkdtempSync(join(tmpdir(), "mettle-bench-preflight-"));
  try {
    const turns = join(base, "turns.json");
    const { roles } = parse(readFileSync(join(demo, "honest.yaml"), "utf8"));
    writeFileSync(turns, JSON.stringify({ intake: roles.intake }));
    const measured = [];
    for (let round = 0; round < rounds; round++) {
      const folder = (name) => mkdtempSync(join(base, `${name}-${round}-`));
      const slow = project(folder("slow"), turns, { "test/slow.test.js": slowTest(sleepMs) });
      const suite = ownTests(slow.repository);
      const [first, proved] = [slow.untilAgent(), slow.untilAgent()];
      const bare = project(folder("bare"), turns, { "test/words.test.js": null });
      bare.untilAgent();
      const noTests = bare.untilAgent();
      measured.push({ suite, first, proved, noTests });
    }
    const ms = (of) => median(measured.map(of));
    return {
      suite: ms(({ suite }) => suite),
      first: ms(({ first }) => first),
      proved: ms(({ proved }) => proved),
      noTests: ms(({ noTests }) => noTests),
      more: {
        first: ms(({ first, suite }) => first - suite),
        proved: ms(({ proved, noTests }) => proved - noTests),
      },
      goal,
    };
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

function slowTest(ms) {
  return `import test from "node:test";\ntest("slow", () => new Promise((done) => setTimeout(done, ${ms})));\n`;
}

/** The demo's repository with these files, and a function that measures from the command to the first byte of the prompt. */
function project(folder, turns, files) {
  const times = join(folder, "times.jsonl");
  const command = [process.execPath, agent, turns, times];
  const settings = {
    version: 1,
    runner: "node:test",
    agents: { default: "timed", commands: { timed: { run: command } } },
  };
  const { mettle } = demoRepository(folder, { "mettle.yaml": stringify(settings), ...files });
  const untilAgent = () => {
    const began = Date.now();
    mettle("run", "@orchestrate Add slugify(text)");
    const lines = readFileSync(times, "utf8").trim().split("\n");
    return JSON.parse(lines.at(-1)).first - began;
  };
  return { repository: join(folder, "words"), untilAgent };
}

function ownTests(repository) {
  const began = Date.now();
  const ran = spawnSync(process.execPath, ["--test"], { cwd: repository, env: { PATH: process.env.PATH } });
  if (ran.status !== 0) throw new Error(`the suite fails: ${ran.stdout}`);
  return Date.now() - began;
}

if (import.meta.url === `file://${process.argv[1]}`) console.log(JSON.stringify(await run()));
