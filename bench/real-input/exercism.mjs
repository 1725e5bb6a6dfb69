// Real input: practice exercises of an exercism track, run through Orchestrate honestly, with a wrong solution, and with an
// edited test. Needs a git directory of that repository; no exercise is stored here.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cassetteOf } from "./cassette.mjs";
import { commitAll, drive, reader, root, tableOf, write } from "./drive.mjs";

const [gitDir, ...flags] = process.argv.slice(2);
if (!gitDir) {
  process.stderr.write(
    "usage: node bench/real-input/exercism.mjs GIT_DIR [--track javascript|typescript|python|go] [--count N] [--only slug,slug] [--with-stub] [--out FILE] [--keep]\n",
  );
  process.exit(2);
}
const option = (name, fallback) => (flags.includes(name) ? flags[flags.indexOf(name) + 1] : fallback);
const { track } = await import(`./tracks/${option("--track", "javascript")}.mjs`);
const source = reader(gitDir);

const rows = [];
for (const exercise of chosen()) {
  for (const variant of ["honest", "wrong", "edited test"]) {
    const { result, why, seconds } = runOne(exercise, variant);
    rows.push([exercise.slug, variant, result, why, seconds]);
    process.stderr.write(`${rows.at(-1).join(" | ")}\n`);
  }
}
const table = tableOf(["exercise", "variant", "result", "why", "seconds"], rows);
const out = option("--out", null);
if (out) writeFileSync(out, `${table}\n`);
process.stdout.write(`${table}\n`);

/**
 * Chooses exercises evenly over the sorted list, so that easy ones are not preferred. If a solution does not pass its own tests
 * with the installed tools, outside Mettle, the next exercise replaces it.
 */
function chosen() {
  const only = option("--only", null);
  if (only) return only.split(",").map(readExercise);
  const all = [...new Set(source.list("exercises/practice").map((path) => path.split("/")[2]))].sort();
  const count = Number(option("--count", "24"));
  const taken = new Set();
  return Array.from({ length: count }, (_, index) => {
    const start = Math.floor(((index + 0.5) * all.length) / count);
    for (const slug of [...all.slice(start), ...all.slice(0, start)]) {
      if (taken.has(slug)) continue;
      taken.add(slug);
      const exercise = readExercise(slug);
      if (passesHere(exercise)) return exercise;
      process.stderr.write(`${slug}: its solution fails its own tests here; the next exercise replaces it\n`);
    }
    throw new Error("the track has too few exercises that work here");
  });
}

function readExercise(slug) {
  const base = `exercises/practice/${slug}`;
  const files = source.list(base).map((path) => path.slice(base.length + 1));
  const exercise = track.exercise({ slug, files, read: (path) => source.read(`${base}/${path}`) });
  return { slug, instructions: source.read(`${base}/.docs/instructions.md`), ...exercise };
}

function passesHere(exercise) {
  if (track.tries === undefined) return true;
  return inFolder((folder) => {
    write(folder, { ...exercise.start, ...exercise.tests, [exercise.path]: exercise.solution });
    const [program, ...args] = track.tries;
    try {
      execFileSync(program, args, { cwd: folder, stdio: "ignore", timeout: 120_000 });
      return true;
    } catch {
      return false;
    }
  });
}

function runOne(exercise, variant) {
  const { slug, path, tests, titles } = exercise;
  const [testFile] = Object.keys(tests);
  return inFolder((folder) => {
    const repository = join(folder, slug);
    write(repository, { "README.md": exercise.instructions, ...exercise.start });
    if (flags.includes("--with-stub")) write(repository, { [path]: exercise.skeleton });
    if (track.modules) symlinkSync(join(root, "node_modules"), join(repository, "node_modules"), "dir");
    commitAll(repository, folder);
    const changes = { [path]: variant === "honest" ? exercise.solution : exercise.wrong };
    if (variant === "edited test") changes[testFile] = exercise.weak;
    const about = `The exercise ${slug}, as its README says.`;
    const plan = { [path]: "the solution", [testFile]: "its tests" };
    const cassette = cassetteOf({ name: slug, about, plan, titles, tests, changes });
    return drive({ repository, folder, cassette, ask: `Solve ${slug}`, settings: track.settings });
  });
}

function inFolder(use) {
  const folder = mkdtempSync(join(tmpdir(), "mettle-exercism-"));
  try {
    return use(folder);
  } finally {
    if (!flags.includes("--keep")) rmSync(folder, { recursive: true, force: true });
  }
}
