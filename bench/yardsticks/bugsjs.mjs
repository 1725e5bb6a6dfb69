// BugsJS: a project's own repository with tags for each bug. `Bug-N` is the state before the fix, `Bug-N-test` adds the tests of
// the fix, `Bug-N-full` the fix, too.
import { git } from "./repository.mjs";

/** @returns for each bug its name and the commits of its three states; throws if the repository has no such tags */
export function readBugs(folder) {
  const tags = new Map(
    git(folder, ["for-each-ref", "refs/tags/Bug-*", "--format=%(refname:short) %(objectname) %(*objectname)"])
      .split("\n")
      .filter(Boolean)
      .map((line) => {
        const [tag, own, tagged] = line.split(" ");
        return [tag, tagged || own];
      }),
  );
  const bugs = [...tags.keys()]
    .map((tag) => /^Bug-(\d+)$/.exec(tag)?.[1])
    .filter(
      (number) => number !== undefined && tags.has(`Bug-${number}-test`) && tags.has(`Bug-${number}-full`),
    )
    .sort((a, b) => a - b)
    .map((number) => ({
      name: `Bug-${number}`,
      base: tags.get(`Bug-${number}`),
      heads: { fix: tags.get(`Bug-${number}-full`), "no fix": tags.get(`Bug-${number}-test`) },
    }));
  if (bugs.length === 0) throw new Error(`${folder} has no tags Bug-N, Bug-N-test and Bug-N-full`);
  return bugs;
}

/** What the test programs of two projects do where Mettle cannot read them: the Makefile of express, the Makefile.js of eslint. */
const projects = {
  express: () => ({
    runner: "mocha",
    paths: { tests: ["test/"], source: ["lib/", "index.js"] },
    // Servers that tests leave open keep a newer mocha from ending.
    tests: { env: { NODE_ENV: "test" }, args: ["--exit", "test/*.js", "test/acceptance/*.js"] },
  }),
  eslint: ({ files, changed }) => ({
    runner: "mocha",
    paths: { tests: ["tests/"], source: ["lib/", "conf/", "bin/"] },
    tests: { args: tenthOf(files, changed) },
  }),
};

/** The suite of eslint takes minutes: the changed test files run, and every tenth of the others. */
function tenthOf(files, changed) {
  const isTest = (file) => /^tests\/(?:lib|templates|bin|tools)\/.*\.js$/.test(file);
  const own = changed.filter(isTest);
  const others = files.filter((file) => isTest(file) && !own.includes(file));
  return [...own, ...others.filter((_file, at) => at % 10 === 0)];
}

/**
 * @param manifest the package.json of a bug
 * @param place `files` of the bug's commit, and those that its tests `changed`
 * @returns the text of a mettle.yaml; null if the test script starts the runner itself, or the project is not known
 */
export function settingsOfBug(manifest, place) {
  const { name, scripts } = JSON.parse(manifest);
  const settings = /\bmake/i.test(scripts?.test ?? "") ? projects[name]?.(place) : undefined;
  return settings === undefined ? null : `${JSON.stringify({ version: 1, ...settings }, null, 2)}\n`;
}

/** @returns the arguments of mocha in the package's own test script, or in these settings, without its reporter */
export function mochaArguments(manifest, settings) {
  if (settings !== null) return JSON.parse(settings).tests.args;
  const [, words = ""] = /\bmocha\s+([^&|;]*)/.exec(JSON.parse(manifest).scripts?.test ?? "") ?? [];
  return words
    .replaceAll(/--reporter[ =]\S+|--bail\b/g, "")
    .split(/\s+/)
    .filter(Boolean);
}
