// The practice exercises of a track of exercism. A change replaces the exercise's stub by its example solution and adds the
// tests; the wrong change adds the tests alone.
import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { textOf } from "./texts.mjs";

const practice = "exercises/practice";

/** What differs between tracks: the runner with its files, and how every test of an exercise is enabled. */
const tracks = {
  python: {
    settings: {
      runner: "pytest",
      paths: { source: [`${practice}/`], tests: ["*_test.py", "test_utils.py"] },
    },
    shared: () => ({}),
    enabled: withoutSkipped,
  },
  javascript: {
    settings: { runner: "jest", paths: { source: [`${practice}/`], tests: ["*.spec.js"] } },
    shared: (folder) => scriptStart(folder, ["package.json", "babel.config.js", "jest.config.js"]),
    enabled: enabledScript,
  },
  typescript: {
    settings: { runner: "jest", paths: { source: [`${practice}/`], tests: ["*.test.ts"] } },
    shared: (folder) => scriptStart(folder, ["package.json", "babel.config.cjs"], firstExercise(folder)),
    enabled: enabledScript,
  },
};

/** @returns the material; throws if the folder is no track that is known here */
export function readExercism(folder) {
  const { slug: name } = JSON.parse(textOf(folder, "config.json"));
  const track = tracks[name];
  if (track === undefined)
    throw new Error(`the track ${name} is not known: ${Object.keys(tracks).join(", ")}`);
  const slugs = readdirSync(join(folder, practice)).filter((slug) =>
    existsSync(join(folder, practice, slug, ".meta/config.json")),
  );
  return {
    title: `exercism/${name}`,
    settings: track.settings,
    shared: track.shared(folder),
    cases: slugs.sort().map((slug) => readExercise(folder, slug, track)),
    expected: { solution: "accepted", "no change": "refused" },
  };
}

function readExercise(folder, slug, { enabled }) {
  const home = join(practice, slug);
  const { solution, test, example, editor = [] } = filesOf(textOf(folder, join(home, ".meta/config.json")));
  const read = (path) => textOf(folder, join(home, path));
  const some = (paths, change = (content) => content) =>
    Object.fromEntries(paths.map((path) => [join(home, path), change(read(path))]));
  return {
    name: slug,
    base: { ...some([...solution, ...editor]), ...some(helpers(folder, home, [...solution, ...test])) },
    tests: some(test, enabled),
    heads: {
      solution: Object.fromEntries(
        example.map((path, at) => [join(home, solution[at] ?? basename(path)), read(path)]),
      ),
      "no change": {},
    },
  };
}

/** Reads no more than the files: other parts of some configurations are no valid JSON. */
function filesOf(config) {
  const found = /"files":\s*(\{[^{}]*\})/.exec(config)?.[1];
  if (found === undefined) throw new Error("a configuration of an exercise names no files");
  return JSON.parse(found);
}

/** Other files of an exercise: data that its tests read, and modules that the configuration does not name. */
function helpers(folder, home, known) {
  const own =
    /^(?:package(-lock)?\.json|tsconfig.*\.json|.*\.config\.\w+|test-runner\.\w+|yarn\.lock|README\.md|HELP\.md|LICENSE)$/;
  return readdirSync(join(folder, home), { recursive: true })
    .filter((path) => !/(?:^|\/)[.]|(?:^|\/)node_modules\//.test(path) && !own.test(basename(path)))
    .filter((path) => statSync(join(folder, home, path)).isFile() && !known.includes(path));
}

/** A track of Python skips tests that take minutes; they are left out. */
function withoutSkipped(text) {
  return text.replaceAll(/^([ \t]+)@unittest\.skip\(.*\)\n\1def [^]*?(?=^\1(?:def |@)|^\S|(?![^]))/gm, "");
}

function enabledScript(text) {
  return text
    .replaceAll(/\bx(test|it|describe)\b/g, "$1")
    .replaceAll(/\b(test|it|describe)\.skip\b/g, "$1")
    .replaceAll(
      /\{([^}]*)\}(\s*(?:from|=\s*require\()\s*['"]@jest\/globals['"])/g,
      (_all, names, rest) =>
        `{ ${[...new Set(names.split(",").map((name) => name.trim()))].filter(Boolean).join(", ")} }${rest}`,
    );
}

/** The configuration of the runner, and a package.json with what the tests need and nothing else. */
function scriptStart(folder, files, home = "") {
  const read = (file) => textOf(folder, join(home, file));
  const [manifest, ...others] = files;
  const { devDependencies, type } = JSON.parse(read(manifest));
  const needed =
    /^(?:jest|babel-jest|expect|core-js|@jest\/globals|@exercism\/babel-preset-.*|@types\/node)$/;
  const chosen = Object.entries(devDependencies).filter(([name]) => needed.test(name));
  return {
    "package.json": `${JSON.stringify({ private: true, ...(type === undefined ? {} : { type }), devDependencies: Object.fromEntries(chosen) }, null, 2)}\n`,
    ".gitignore": "node_modules\n",
    ...Object.fromEntries(others.map((file) => [basename(file), read(file)])),
    ...(existsSync(join(folder, home, "jest.config.cjs"))
      ? { "jest.config.cjs": read("jest.config.cjs") }
      : {}),
  };
}

function firstExercise(folder) {
  const [first] = readdirSync(join(folder, practice)).sort();
  return join(practice, first);
}
