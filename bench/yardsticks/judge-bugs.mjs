// Judges the bugs of a BugsJS project by `mettle prove` in one clone of it. Bugs with the same dependencies share an installation.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { passesSameTwice } from "./bare.mjs";
import { mochaArguments, settingsOfBug } from "./bugsjs.mjs";
import { caller } from "./mettle.mjs";
import { git } from "./repository.mjs";

export const expectedOfBugs = { fix: "accepted", "no fix": "refused" };

/** @returns a row for each bug and variant, as `judgeCases` does */
export async function judgeBugs({ bugs, variants, folder, place }) {
  const repository = join(place.folder, "clone");
  git(place.folder, ["clone", "--quiet", "--no-hardlinks", folder, repository]);
  const call = caller({ repository, state: join(place.folder, "state"), timeoutMs: place.timeoutMs });
  const rows = [];
  for (const bug of bugs) {
    let isTried = false;
    for (const variant of variants) {
      const { fault, args } = prepare(repository, { bug, variant }, place.folder);
      if (fault === null && !isTried && passesSameTwice(repository, args) === false)
        place.note(`${bug.name} | its own tests give other results in a second run without Mettle`);
      isTried = true;
      const row = fault === null ? await judgeBug({ bug, variant, call }) : unjudged(bug, variant, fault);
      rows.push(row);
      place.progress([row]);
    }
  }
  return rows;
}

/** Checks the state before the fix out, with the dependencies of the variant. @returns why that is not possible, and mocha's arguments */
function prepare(repository, { bug, variant }, folder) {
  git(repository, ["checkout", "--quiet", "--force", "--detach", bug.base]);
  // A fix may need other versions, which its checkout has installed.
  const manifest = git(repository, ["show", `${bug.heads[variant]}:package.json`]);
  const settings = settingsOfBug(manifest, {
    files: lines(git(repository, ["ls-tree", "-r", "--name-only", bug.base])),
    changed: lines(git(repository, ["diff", "--name-only", bug.base, bug.heads["no fix"]])),
  });
  if (settings === null) rmSync(join(repository, "mettle.yaml"), { force: true });
  else writeFileSync(join(repository, "mettle.yaml"), settings);
  const args = mochaArguments(manifest, settings);
  try {
    link(repository, installed(manifest, folder));
    return { fault: null, args };
  } catch (cause) {
    return { fault: `its dependencies cannot be installed: ${cause.message}`, args };
  }
}

function lines(text) {
  return text.split("\n").filter(Boolean);
}

function unjudged({ name }, variant, fault) {
  const outcome = "inconclusive";
  const expected = expectedOfBugs[variant];
  return {
    name,
    variant,
    expected,
    outcome,
    tests: 0,
    passing: [],
    changed: [],
    reasons: [fault],
    seconds: 0,
    size: 1,
  };
}

async function judgeBug({ bug, variant, call }) {
  const prove = (accepted) =>
    call([
      "prove",
      "--base",
      bug.base,
      "--head",
      bug.heads[variant],
      ...accepted.flatMap((id) => ["--accept-test", id]),
    ]);
  const first = await prove([]);
  const { passing, changed, others } = named(first.json);
  const accepts = passing.length + changed.length > 0 && others.length === 0;
  const answer = accepts ? await prove([...new Set([...passing, ...changed])]) : first;
  const outcome = { 0: "accepted", 1: "refused" }[answer.code] ?? "inconclusive";
  return {
    name: bug.name,
    variant,
    expected: expectedOfBugs[variant],
    outcome,
    tests: answer.json.observed?.length ?? 0,
    passing,
    changed,
    reasons: named(answer.json).all,
    seconds: Math.round(first.seconds + (accepts ? answer.seconds : 0)),
    size: 1,
  };
}

/** Refusals that a person turns into findings, test by test, where the change's own tests replace what an old test expects. */
const ofChangedTests = ["red.old_tests", "red.old_text", "green.old_text"];

/** @returns ids of tests that pass without the change, of old tests that its tests `changed`, and the reasons: the `others`, and `all` */
function named({ error, checks = [] }) {
  if (error !== undefined) {
    const all = [`${error.code}: ${error.message}`];
    return { passing: [], changed: [], others: all, all };
  }
  const wrong = checks.filter(({ verdict }) => verdict !== "pass");
  const idsOf = (names) => wrong.filter(({ name }) => names.includes(name)).flatMap(({ tests }) => tests);
  const reasonsOf = (some) => some.map(({ name, reason }) => `${name}: ${reason}`);
  const changed = idsOf(ofChangedTests);
  const isNamed = ({ name, tests }) =>
    ["red.fails", ...ofChangedTests].includes(name) ||
    // GREEN misses the tests that the change's tests removed, too.
    (name === "green.regressions" && tests.every((id) => changed.includes(id)));
  const others = wrong.filter((check) => check.tests.length === 0 || !isNamed(check));
  return {
    passing: idsOf(["red.fails"]),
    changed,
    others: reasonsOf(others),
    all: reasonsOf(wrong),
  };
}

/** The dependencies of a package.json, installed once. */
function installed(manifest, folder) {
  const { dependencies, devDependencies } = JSON.parse(manifest);
  const wanted = JSON.stringify({ private: true, dependencies, devDependencies });
  const home = join(folder, "dependencies", createHash("sha256").update(wanted).digest("hex").slice(0, 12));
  if (existsSync(home)) return join(home, "node_modules");
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "package.json"), wanted);
  const quiet = ["--no-audit", "--no-fund", "--ignore-scripts", "--legacy-peer-deps", "--loglevel=error"];
  execFileSync("npm", ["install", ...quiet], { cwd: home, stdio: ["ignore", "ignore", "inherit"] });
  return join(home, "node_modules");
}

function link(repository, modules) {
  rmSync(join(repository, "node_modules"), { recursive: true, force: true });
  symlinkSync(modules, join(repository, "node_modules"), "dir");
}
