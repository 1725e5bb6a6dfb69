// Real input: a small change to an ordinary public repository with its own tests, made honestly and by cheating.
// `mettle init` sets the repository up outside this one.
// Usage: node bench/real-input/ordinary.mjs CHANGE GIT_DIR [--modules FOLDER] [--only honest|cheating] [--keep]
// CHANGE is a file of bench/real-input/changes, FOLDER a node_modules with the packages of its package.json.
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { cassetteOf } from "./cassette.mjs";
import { commitAll, drive, reader, root, tableOf } from "./drive.mjs";

const [name, gitDir, ...flags] = process.argv.slice(2);
if (!name || !gitDir) {
  process.stderr.write("usage: node bench/real-input/ordinary.mjs CHANGE GIT_DIR [--modules FOLDER]\n");
  process.exit(2);
}
const option = (flag) => (flags.includes(flag) ? flags[flags.indexOf(flag) + 1] : undefined);
const { change } = await import(`./changes/${name}.mjs`);
const source = reader(gitDir);
const { repository: title, about, plan, titles, tests, honest, cheating } = change;

const rows = [];
for (const [variant, files, how] of [
  ["honest", honest, about],
  ["cheating", cheating.files, cheating.how],
]) {
  if (option("--only") !== undefined && option("--only") !== variant) continue;
  const { result, why, seconds } = runOne(files(source.read));
  rows.push([title, `${variant}: ${how}`, result, why, seconds]);
}
process.stdout.write(`${tableOf(["repository", "change", "result", "why", "seconds"], rows)}\n`);

function runOne(changes) {
  const folder = mkdtempSync(join(tmpdir(), "mettle-ordinary-"));
  const repository = join(folder, name);
  try {
    mkdirSync(repository);
    const files = execFileSync("git", [`--git-dir=${gitDir}`, "archive", "HEAD"], { maxBuffer: 256 << 20 });
    execFileSync("tar", ["-x", "-C", repository], { input: files });
    const modules = option("--modules");
    if (modules) symlinkSync(resolve(modules), join(repository, "node_modules"), "dir");
    execFileSync("git", ["init", "--quiet", "--initial-branch=main"], { cwd: repository });
    execFileSync(process.execPath, [join(root, "dist/bin/mettle.js"), "init"], {
      cwd: repository,
      env: { PATH: process.env.PATH, HOME: join(folder, "state"), METTLE_HOME: join(folder, "state") },
      stdio: ["ignore", "ignore", "inherit"],
    });
    appendFileSync(join(repository, "mettle.yaml"), "\nlimits: { green: 1, red: 1 }\n");
    commitAll(repository, folder);
    const cassette = cassetteOf({ name, about, plan, titles, tests, changes });
    return drive({ repository, folder, cassette, ask: about, settings: null });
  } finally {
    if (!flags.includes("--keep")) rmSync(folder, { recursive: true, force: true });
  }
}
