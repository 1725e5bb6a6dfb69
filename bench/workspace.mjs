// Measures a workspace for an agent with dependencies against `git worktree add` alone, in a repository of 2,000 files.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const files = 2000;
const goalMs = 100;

/** `{mettle, git, more, goalMs}` in milliseconds, medians of `rounds`. */
export async function run({ rounds = 15 } = {}) {
  const loaded = await library();
  const { openHost, openRun, startRun, prepareWorkspace, removeWorkspace, writesOf } = loaded;
  const base = mkdtempSync(join(tmpdir(), "mettle-bench-workspace-"));
  const root = join(base, "repository");
  const git = (...args) =>
    execFileSync("git", ["-c", "user.name=b", "-c", "user.email=b@b", ...args], { cwd: root });
  try {
    layFiles(root);
    git("init", "--quiet", "--initial-branch=main");
    git("add", "-A");
    git("commit", "--quiet", "--message", "Begin");
    const cassette = join(base, "cassette.yaml");
    writeFileSync(cassette, "version: 1\nkind: cassette\nroles: {}\n");
    const host = await openHost(root, { METTLE_HOME: join(base, "state"), METTLE_SANDBOX: "off" });
    const options = { task: "Bench", protocol: "graph", agents: { default: `scripted:${cassette}` } };
    const spec = { spec: rootSpec, file: null };
    const start = { ...options, spec, preapproved: [], demo: false };
    const started = await startRun(host, start, loaded.shippedFamilies);
    const context = await openRun(host, { run: started.run });
    const command = loaded.openCommands(context.session.state).find(({ type }) => type === "dispatch");
    const times = { mettle: [], git: [] };
    for (let round = -2; round < rounds; round++) {
      const own = await timed(async () => {
        const work = await context.family.work(context, command, writesOf(context, command));
        return prepareWorkspace(context, command, work);
      });
      await removeWorkspace(context, own.value);
      const path = join(base, `tree-${round + 2}`);
      const bare = await timed(() => git("worktree", "add", "--detach", "--quiet", path, "HEAD"));
      git("worktree", "remove", "--force", path);
      if (round < 0) continue;
      times.mettle.push(own.ms);
      times.git.push(bare.ms);
    }
    await host.journal.close();
    const [mettle, bare] = [median(times.mettle), median(times.git)];
    return { mettle, git: bare, more: mettle - bare, goalMs };
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

const rootSpec = {
  id: "bench",
  description: "Bench",
  acceptanceCriteria: [{ id: "AC-1", text: "It is fast" }],
  targetPath: "src/bench.js",
  testPath: "test/bench",
};

async function library() {
  const from = (path) => import(new URL(`../dist/lib/${path}.js`, import.meta.url).href);
  return {
    ...(await from("run/host")),
    ...(await from("families/families")),
    ...(await from("families/open-run")),
    ...(await from("engine/start/start-run")),
    ...(await from("dispatch/workspace/workspace")),
    ...(await from("kernel/inspect")),
  };
}

/** Writes the files, an installed dependency and a test for the runner detection. */
function layFiles(root) {
  const write = (path, text) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (let index = 0; index < files; index++)
    write(`src/part-${index % 40}/file-${index}.js`, `export const value = ${index};\n`.repeat(40));
  write("package.json", '{ "name": "bench", "version": "1.0.0", "type": "module" }\n');
  write("test/one.test.js", 'import { test } from "node:test";\ntest("one", () => {});\n');
  write("node_modules/dependency/index.js", "export {};\n");
  write(".gitignore", "node_modules\n");
}

async function timed(work) {
  const began = process.hrtime.bigint();
  const value = await work();
  return { value, ms: Number(process.hrtime.bigint() - began) / 1e6 };
}

function median(list) {
  const sorted = list.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}
