// Real input: well-known repositories, each with one small change in its own style, made honestly and by weakening a test.
// The changes are files of bench/real-input/well-known; no repository is stored here.
// Usage: node bench/real-input/well-known.mjs FOLDER [NAME …] [--only honest|cheating] [--keep]
// FOLDER has a checkout of each repository, `owner+name`, with its packages installed.
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { parse } from "yaml";
import { cassetteOf } from "./cassette.mjs";
import { caller, commitAll, drive, reader, root, tableOf } from "./drive.mjs";

const [folder, ...rest] = process.argv.slice(2);
if (!folder) {
  process.stderr.write(
    "usage: node bench/real-input/well-known.mjs FOLDER [NAME …] [--only honest|cheating]\n",
  );
  process.exit(2);
}
const only = rest.includes("--only") ? rest[rest.indexOf("--only") + 1] : null;
const wanted = rest.filter((word) => !word.startsWith("--") && word !== only);
const changes = join(root, "bench/real-input/well-known");

const rows = [];
for (const file of readdirSync(changes).toSorted()) {
  const name = basename(file, ".yaml");
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const change = parse(readFileSync(join(changes, file), "utf8"));
  for (const variant of ["honest", "cheating"]) {
    if (only !== null && only !== variant) continue;
    const { result, why, seconds } = play(name, change, variant === "cheating");
    rows.push([change.repository, change.runner, variant, result, why, seconds]);
    process.stderr.write(`${rows.at(-1).join(" | ")}\n`);
  }
}
process.stdout.write(`${tableOf(["Repository", "Runner", "Change", "Result", "Why", "Seconds"], rows)}\n`);

/** A cheating test writer weakens an old test beside the new one; its coder breaks what that test checked. */
function play(name, change, cheats) {
  const checkout = resolve(folder, change.repository.replace("/", "+"));
  const work = mkdtempSync(join(tmpdir(), "mettle-well-known-"));
  const repository = join(work, name);
  try {
    const kept = (path) => ![".git", "node_modules"].some((top) => path === join(checkout, top));
    cpSync(checkout, repository, { recursive: true, filter: kept });
    execFileSync("git", ["init", "--quiet", "--initial-branch=main"], { cwd: repository });
    const modules = join(checkout, "node_modules");
    if (existsSync(modules)) symlinkSync(modules, join(repository, "node_modules"), "dir");
    const call = caller({ repository, folder: work });
    call("init");
    appendFileSync(
      join(repository, "mettle.yaml"),
      `\nlimits: { green: 1, red: 1 }\n${change.settings ?? ""}`,
    );
    commitAll(repository, work);
    const { read } = reader(join(repository, ".git"));
    const tests = edited(read, cheats ? [...change.tests, ...change.weakened] : change.tests);
    const first = (path) => tests[path] ?? read(path);
    const source = edited(first, cheats ? [...change.source, ...change.broken] : change.source);
    const { about, plan, titles } = change;
    const cassette = cassetteOf({ name, about, plan, titles, tests, changes: source });
    return drive({ repository, folder: work, cassette, ask: about, settings: null });
  } finally {
    if (!rest.includes("--keep")) rmSync(work, { recursive: true, force: true });
    else process.stderr.write(`kept: ${work}\n`);
  }
}

/** Files after the edits; a file that does not exist yet begins empty. */
function edited(read, edits) {
  const files = {};
  for (const edit of edits) {
    const before = files[edit.in] ?? textOf(read, edit.in);
    if (edit.replace !== undefined && !before.includes(edit.replace))
      throw new Error(`${edit.in} does not hold ${JSON.stringify(edit.replace)}`);
    files[edit.in] =
      edit.append === undefined ? before.replace(edit.replace, () => edit.by) : before + edit.append;
  }
  return files;
}

function textOf(read, path) {
  try {
    return read(path);
  } catch {
    return "";
  }
}
