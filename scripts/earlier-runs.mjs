/**
 * Creates test/durability/fixtures: an unfinished run of each system, made by an earlier version of Mettle.
 *
 *     node scripts/earlier-runs.mjs CHECKOUT [SYSTEM...]
 *
 * CHECKOUT is a built checkout of that version. Its program starts each run and is interrupted while an agent works, or ends
 * at a gate. A test unpacks the run in another folder, like a moved project.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { brotliCompressSync } from "node:zlib";
import { parse, stringify } from "yaml";

const checkout = resolve(process.argv[2] ?? "");
const fixtures = resolve("test/durability/fixtures");
const hangs = [{ shell: 'touch "$HOME/hangs"' }, { hang: true }];
const read = (file) => readFileSync(join(checkout, file), "utf8");

async function make(system) {
  const root = join("/tmp/mettle-earlier", system);
  const repository = join(root, "repository");
  const env = {
    PATH: process.env.PATH,
    HOME: join(root, "home"),
    METTLE_HOME: join(root, "state"),
    METTLE_SANDBOX: "off",
  };
  mkdirSync(env.HOME, { recursive: true });
  const git = (...argv) => execFileSync("git", ["-C", repository, ...argv], { env, encoding: "utf8" });
  const program = (name, argv) =>
    spawn(process.execPath, [join(checkout, "dist/bin", name), ...argv], { cwd: repository, env });
  const call = async (name, ...argv) => {
    const child = program(name, argv);
    let [out, err] = ["", ""];
    child.stdout.on("data", (data) => (out += data));
    child.stderr.on("data", (data) => (err += data));
    const [code] = await once(child, "close");
    return { code, out, err };
  };
  try {
    const { files, cassette, stopped, argv, before = [] } = story(system);
    if (files === null)
      cpSync(join(checkout, "protocols", demoOf(system), "demo/repository"), repository, { recursive: true });
    else for (const [file, text] of Object.entries(files)) write(join(repository, file), text);
    write(join(repository, ".gitignore"), "cassette.yaml\nspec.yaml\nreview.yaml\nmettle.yaml\n.claude/\n");
    for (const line of [
      ["init", "-q", "-b", "main"],
      ["config", "user.name", "A"],
      ["config", "user.email", "a@invalid"],
      ["add", "-A"],
      ["commit", "-qm", "Begin"],
    ])
      git(...line);
    if (system === "implementation") git("switch", "-qc", "feature/x");
    if (system === "graph") write(join(repository, "spec.yaml"), read("protocols/graph/demo/spec.yaml"));
    write(
      join(repository, "mettle.yaml"),
      `version: 1\nagents: { roles: { ${system === "implementation" ? "reviewer: 'scripted:review.yaml'" : ""} } }\n`,
    );
    write(
      join(repository, "review.yaml"),
      stringify({
        version: 1,
        kind: "cassette",
        roles: { reviewer: [{ does: [{ say: '{"verdict":"passed"}' }], repeat: true }] },
      }),
    );
    write(join(repository, "cassette.yaml"), stringify(stopped));
    for (const line of before) {
      const { code, err } = await call("envoy.js", ...line);
      if (code !== 0) throw new Error(`envoy ${line.join(" ")}: ${err}`);
    }
    let last = ["run", ...argv, "--agent", "scripted:cassette.yaml"];
    if (system === "orchestrate") {
      const { out } = await call("mettle.js", ...last, "--json");
      last = [
        "answer",
        JSON.parse(out).run,
        ...["Q1", "Q2", "Q3", "Q4", "Q5"].map((id) => `${id}=as is usual`),
      ];
    }
    const driver = program("mettle.js", last);
    let output = "";
    for (const stream of [driver.stdout, driver.stderr]) stream.on("data", (data) => (output += data));
    const ended = once(driver, "close");
    while (driver.exitCode === null && !holds(root, "hangs")) await pause(50);
    await pause(500);
    driver.kill("SIGINT");
    const [code] = await ended;
    if (code !== 130 && code !== 3) throw new Error(`${system}: exit code ${code}\n${output}`);
    console.log(system, code, output.trim().split("\n").at(-1));
    write(join(repository, "cassette.yaml"), stringify(cassette));
    pack(system, root, git);
  } finally {
    rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  }
}

function demoOf(system) {
  return system === "riper" ? "dptr" : system;
}

/** The cassette of a successful run, and a cassette in which one agent hangs. */
function story(system) {
  if (system === "implementation") {
    const worker = (does, more) => ({ does: does.map((shell) => ({ shell })), ...more });
    const cassette = {
      version: 1,
      kind: "cassette",
      roles: {
        worker: [
          worker([implemented, "envoy plan block-prompt-testing-gate 1"]),
          worker(["set -e\nenvoy git merge-worktree 1\nenvoy plan complete-prompt 1"], {
            report: { status: "DONE", message: "merged", payload: { success: true, merged: true } },
          }),
        ],
      },
    };
    const prompt = [
      "--description",
      "One",
      "--context",
      "As it is",
      "--criteria",
      "One is 1",
      "--files",
      "src/1.ts",
    ];
    const before = [
      ["plan", "init"],
      ["plan", "write-prompt", "1", ...prompt, "--requires-testing"],
    ];
    const files = {
      "package.json": '{ "name": "shop", "type": "module" }\n',
      "test/base.test.js": 'import { test } from "node:test";\ntest("base", () => {});\n',
    };
    return {
      files,
      cassette,
      stopped: cassette,
      before,
      argv: ["--protocol", "implementation", "--input", "prompt_num=1"],
    };
  }
  const cassette = parse(read(`protocols/${demoOf(system)}/demo/honest.yaml`));
  const { roles } = cassette;
  if (system === "orchestrate") {
    roles.coder = [{ ...roles.coder.at(-1), expects: [] }];
  }
  if (system === "riper" || system === "dptr") {
    const plan = roles.planner[0].report.payload;
    plan.cycles = plan.cycles.slice(0, 1);
    const approved = { report: { status: "APPROVED", message: "good" } };
    roles.qa = [roles.qa[0], { report: { status: "RTC", message: "nothing to be made better" } }, approved];
    roles.de = [roles.de[0], { report: { status: "RIC", message: "nothing to be made better" } }, approved];
  }
  const stopped = structuredClone(cassette);
  const turns = {
    orchestrate: () => stopped.roles.coder,
    riper: () => stopped.roles.de,
    dptr: () => stopped.roles.de,
    graph: () => stopped.nodes["receipt--money"].impl,
  };
  const [turn] = turns[system]();
  turn.does = [...hangs, ...(turn.does ?? [])];
  const task = ["--protocol", system, "Add slugify(text)"];
  const argv =
    { graph: ["--spec", "spec.yaml"], orchestrate: [...task, "--approve", "plan,code"] }[system] ?? task;
  return { files: null, cassette, stopped, argv };
}

const implemented = `set -e
envoy protocol implementation > /dev/null
envoy plan read-prompt 1
envoy plan start-prompt 1 --specialist worker --worktree feature/x--implementation-1
cd "$(envoy git worktree 1 | sed 's/.*"path":"\\([^"]*\\)".*/\\1/')"
mkdir -p src
echo 'export const one = 1;' > src/1.ts
cat > ../walkthrough.md <<'END'
### Iteration 1
**Type**: initial

#### Approach

Did it

#### Changes Made

- \`src/1.ts\`: new

#### Key Decisions

- one file: it is small
END
envoy plan record-implementation 1 --walkthrough @../walkthrough.md --iteration 1
envoy git commit 1 --message "Add one"
envoy gemini review 1`;

/** Replaces the folder by @ROOT@ in the files by which git and Mettle find each other; the history keeps the old paths. */
function pack(system, root, git) {
  rmSync(join(root, "home"), { recursive: true });
  rmSync(join(root, "repository/.git/hooks"), { recursive: true });
  git("gc", "-q", "--prune=now");
  const finds = /(?:^|\/)(?:\.git|mettle-id|gitdir|git-dir)$/u;
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath ?? entry.path, entry.name);
    if (!entry.isFile() || !finds.test(file)) continue;
    writeFileSync(file, readFileSync(file, "utf8").replaceAll(root, "@ROOT@"));
  }
  const tar = execFileSync("tar", ["-cf", "-", "-C", root, "."], { maxBuffer: 2 ** 28 });
  writeFileSync(join(fixtures, `${system}.tar.br`), brotliCompressSync(tar));
}

function holds(folder, name) {
  try {
    return readdirSync(folder, { recursive: true }).some((file) => String(file).endsWith(`/${name}`));
  } catch {
    return false; // a file was removed meanwhile
  }
}

function write(file, text) {
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, text);
}

const systems = process.argv.slice(3);
for (const system of systems.length > 0
  ? systems
  : ["orchestrate", "riper", "dptr", "graph", "implementation"])
  await make(system);
const [, settings] = /^```yaml\n([\s\S]*?)^```/mu.exec(read("docs/settings.md"));
writeFileSync(join(fixtures, "settings.yaml"), settings);
