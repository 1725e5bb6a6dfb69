/** What files of Python, Go and Rust say about the test runner, and which of them hold tests. */
import type { Runner } from "../../evidence/runner.ts";
import { kindOf, type PathRules } from "../../source/paths.ts";
import { assertNever } from "../../lib/assert-never.ts";
import type { Project } from "./project.ts";

const requirements = /^(pyproject\.toml|setup\.cfg|Pipfile|tox\.ini|(.*[-_.])?requirements([-_.].*)?\.txt)$/;

/** pytest among the packages that a Python project asks for. */
export async function requiredRunners(project: Project): Promise<readonly string[]> {
  const names = [...project.files.keys()].filter((path) => requirements.test(path));
  const texts = [...(await project.texts(names)).values()];
  return texts.some((text) => /(?<![\w.-])pytest(?![\w-])/.test(text.replace(/#.*/g, ""))) ? ["pytest"] : [];
}

/** pytest runs what is written for unittest too, so one file that needs it decides. */
export async function importedRunners(project: Project, rules: PathRules): Promise<readonly string[]> {
  const paths = pythonFiles(project, rules);
  const texts = [...(await project.texts(paths)).values()];
  if (texts.some((text) => /^(?:import pytest\b|from pytest\b|(?:async )?def test)/m.test(text)))
    return ["pytest"];
  const uses = /^\s*(?:import unittest\b(?!\.mock)|from unittest import (?!mock\b))/m;
  return texts.some((text) => uses.test(text)) ? ["unittest"] : [];
}

/** Test files of a runner that is no JavaScript's, in git's order; null for one that is. */
export async function foreignTestFiles(
  project: Project,
  rules: PathRules,
  runner: Runner,
): Promise<readonly string[] | null> {
  switch (runner.program) {
    case undefined:
      return null;
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

/** Folders that hold no tests of this project, by the conventions of each language. */
function isIgnored(path: string): boolean {
  return /(^|\/)(fixtures|testdata|vendor|node_modules|target|venv|[._][^/]*)\//.test(path);
}

function pythonFiles(project: Project, rules: PathRules): readonly string[] {
  return [...project.files.keys()].filter((path) => {
    if (!path.endsWith(".py") || isIgnored(path) || /(^|\/)(conftest|__init__)\.py$/.test(path)) return false;
    const isNamed = /(^|\/)(test_[^/]*|[^/]*_test)\.py$/.test(path);
    return kindOf(`${project.prefix}${path}`, rules) === "test" || isNamed;
  });
}

/** A folder with a go.mod of its own is another module, unless a go.work names it. */
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

/** By name, and beside them helpers in test paths that turn out to define tests. */
async function pythonTests(project: Project, rules: PathRules): Promise<readonly string[]> {
  const paths = pythonFiles(project, rules);
  const texts = await project.texts(paths);
  return paths.filter(
    (path) =>
      /(^|\/)(test_[^/]*|[^/]*_test)\.py$/.test(path) ||
      /^\s*(?:(?:async )?def test|class \w+\(.*TestCase\b)/m.test(texts.get(path) ?? ""),
  );
}

/** Targets below a `tests` folder, and sources that hold tests of their own or examples in their documentation. */
async function rustTests(project: Project): Promise<readonly string[]> {
  const paths = [...project.files.keys()].filter((path) => path.endsWith(".rs") && !isIgnored(path));
  const texts = await project.texts(paths);
  return paths.filter((path) => {
    if (/(^|\/)tests\/([^/]+|[^/]+\/main)\.rs$/.test(path)) return true;
    if (/(^|\/)(tests|benches|examples)\//.test(path)) return false;
    return /#\[(?:\w+::)*test\b|^\s*\/\/[/!]\s*```/m.test(texts.get(path) ?? "");
  });
}
