// Measures the GREEN gate of the demo repository, with every run, control and record of the gate by its own record, against
// `node --test` in the same tree.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { answers, demo, demoRepository } from "./demo-repository.mjs";

/** `{gateMs, bareMs, ratio}`, medians of `rounds`. */
export async function run({ rounds = 5 } = {}) {
  const base = mkdtempSync(join(tmpdir(), "mettle-bench-green-"));
  try {
    const gates = [];
    const bare = [];
    for (let round = 0; round < rounds; round++) {
      const { gate, tree } = proveDemo(join(base, String(round)));
      gates.push(gate);
      bare.push(
        timed(() =>
          execFileSync(process.execPath, ["--test"], { cwd: tree, env: { PATH: process.env.PATH } }),
        ),
      );
    }
    const [gateMs, bareMs] = [median(gates), median(bare)];
    return { gateMs, bareMs, ratio: gateMs / bareMs };
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

function proveDemo(folder) {
  mkdirSync(folder);
  const { git, mettle } = demoRepository(folder);
  const cassette = join(folder, "cassette.yaml");
  const { roles, ...rest } = parse(readFileSync(join(demo, "honest.yaml"), "utf8"));
  const right = { ...roles.coder.at(-1), expects: [] };
  writeFileSync(cassette, stringify({ ...rest, roles: { ...roles, coder: [right] } }));
  const task = [
    "@orchestrate Add slugify(text)",
    "--agent",
    `scripted:${cassette}`,
    "--approve",
    "plan,code",
  ];
  const { run: id } = mettle("run", ...task);
  mettle("answer", id, ...answers);
  const { id: green } = mettle("show", id).records.find(({ purpose }) => purpose === "green");
  const { started, ended } = mettle("show", green).record;
  const tree = join(folder, "tree");
  git("worktree", "add", "--quiet", "--detach", tree, `mettle/${id}/result`);
  return { gate: Date.parse(ended) - Date.parse(started), tree };
}

function timed(work) {
  const started = performance.now();
  work();
  return performance.now() - started;
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

if (import.meta.url === `file://${process.argv[1]}`) console.log(JSON.stringify(await run()));
