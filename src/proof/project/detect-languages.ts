/** Detects the test runner and the test files of Python, Go and Rust projects. */
import type { Runner } from "../../evidence/runner.ts";
import { kindOf, type PathRules } from "../../source/paths.ts";
import { assertNever } from "../../lib/assert-never.ts";
import { isIgnored } from "./package-folders.ts";
import type { Project } from "./project.ts";

const requirements = /^(pyproject\.toml|setup\.cfg|Pipfile|tox\.ini|(.*[-_.])?requirements([-_.].*)?\.txt)$/;

/** Runners among the declared dependencies of a Python project: pytest. */
export async function requiredRunners(project: Project): Promise<readonly string[]> {
  const names = [...project.files.keys()].filter((path) => requirements.test(path));
  const texts = [...(await project.texts(names)).values()];
  return texts.some((text) => /(?<![\w.-])pytest(?![\w-])/.test(text.replace(/#.*/g, ""))) ? ["pytest"] : [];
}

/** pytest also runs unittest tests, so one file that needs pytest decides. */
export async function importedRunners(project: Project, rules: PathRules): Promise<readonly string[]> {
  const paths = pythonFiles(project, rules);
  const texts = [...(await project.texts(paths)).values()];
  if (texts.some((text) => /^(?:import pytest\b|from pytest\b|(?:async )?def test)/m.test(text)))
    return ["pytest"];
  const uses = /^\s*(?:import unittest\b(?!\.mock)|from unittest import (?!mock\b))/m;
  return texts.some((text) => uses.test(text)) ? ["unittest"] : [];
}

/** Test files of a runner for another language than JavaScript, in git's order; null for a JavaScript runner. */
export async function foreignTestFiles(
  project: Project,
  rules: PathRules,
  runner: Runner,
): Promise<readonly string[] | null> {
  switch (runner.program) {
    case undefined:
      return null;
    case "sh":
      return runner.name === "junit" ? namedTests(project, rules, runner) : null;
    case "python3":
      return pythonTests(project, rules);
    case "go":
      return goTests(project);
    case "cargo":
      return rustTests(project);
    default:
      return assertNever(runner.program);
  }
}

/** Files of any language, by the usual names inside test paths. */
function namedTests(project: Project, rules: PathRules, { testFiles }: Runner): readonly string[] {
  return [...project.files.keys()].filter(
    (path) =>
      !isIgnored(path) &&
      kindOf(`${project.prefix}${path}`, rules) === "test" &&
      kindOf(path, { tests: testFiles, source: [] }) === "test",
  );
}

function pythonFiles(project: Project, rules: PathRules): readonly string[] {
  return [...project.files.keys()].filter((path) => {
    if (!path.endsWith(".py") || isIgnored(path) || /(^|\/)(conftest|__init__)\.py$/.test(path)) return false;
    const isNamed = /(^|\/)(test_[^/]*|[^/]*_test)\.py$/.test(path);
    return kindOf(`${project.prefix}${path}`, rules) === "test" || isNamed;
  });
}

/** A folder with its own go.mod is another module, unless a go.work includes it. */
function goTests(project: Project): readonly string[] {
  const paths = [...project.files.keys()];
  const modules = project.files.has("go.work")
    ? []
    : paths.filter((path) => path.endsWith("/go.mod")).map((path) => path.slice(0, -"go.mod".length));
  return paths.filter(
    (path) =>
      path.endsWith("_test.go") && !isIgnored(path) && !modules.some((folder) => path.startsWith(folder)),
  );
}

/** Files with test names, and helpers in test paths that define tests. */
async function pythonTests(project: Project, rules: PathRules): Promise<readonly string[]> {
  const paths = pythonFiles(project, rules);
  const texts = await project.texts(paths);
  return paths.filter(
    (path) =>
      /(^|\/)(test_[^/]*|[^/]*_test)\.py$/.test(path) ||
      /^\s*(?:(?:async )?def test|class \w+\(.*TestCase\b)/m.test(texts.get(path) ?? ""),
  );
}

/** Targets in a `tests` folder, and sources with inline tests or doc examples. */
async function rustTests(project: Project): Promise<readonly string[]> {
  const paths = [...project.files.keys()].filter((path) => path.endsWith(".rs") && !isIgnored(path));
  const texts = await project.texts(paths);
  return paths.filter((path) => {
    if (/(^|\/)tests\/([^/]+|[^/]+\/main)\.rs$/.test(path)) return true;
    if (/(^|\/)(tests|benches|examples)\//.test(path)) return false;
    return /#\[(?:\w+::)*test\b|^\s*\/\/[/!]\s*```/m.test(texts.get(path) ?? "");
  });
}
