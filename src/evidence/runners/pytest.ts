import { join } from "node:path";
import type { ListRequest, Runner, RunnerRequest } from "../runner.ts";
import { asset } from "./assets.ts";
import { readList } from "./test-file-list.ts";
import { readPythonReport } from "./python-report.ts";

const script = asset("mettle_pytest.py");
const noConfig = asset("mettle-pytest.ini");
export const pythonReport = asset("mettle_python_report.py");
/** Copied by Mettle as the `sitecustomize` of a run. */
export const pythonPaths = asset("mettle_paths.py");

/** pytest and unittest treat files with these names as tests. */
export const pythonTestFiles = ["**/test_*.py", "**/*_test.py"];

/** Ignores the user site and the machine's PYTHON* variables; writes no byte code beside the sources. */
export const pythonEnv = { PYTHONDONTWRITEBYTECODE: "1", PYTHONNOUSERSITE: "1" };

/** pytest 4 and newer, imported by a script of Mettle, so that a `pytest.py` of the project cannot replace it. */
export const pytest: Runner = {
  name: "pytest",
  program: "python3",
  module: "pytest",
  entry: null,
  testFiles: pythonTestFiles,
  assets: [script, pythonReport, noConfig],
  env: pythonEnv,
  oldest: "4.0.0",
  argv: (request) => ["-s", script, options(request, request.config ?? noConfig)],
  parse: readPythonReport,
  list: {
    argv: (request) => ["-s", script, listOptions(request, request.config ?? noConfig)],
    parse: readList,
  },
};

/** The scripts' argument for a list of test files. */
export function listOptions(request: ListRequest, config: string): string {
  const { project, report, args, pythonPath: paths } = request;
  return JSON.stringify({ project, report, config, list: true, args, paths });
}

/** The scripts' options as one argument. */
export function options(request: RunnerRequest, config: string): string {
  const { project, report, files, shuffle, seed = 1, timeoutMs } = request;
  return JSON.stringify({
    project,
    report,
    config,
    list: false,
    files: files.map((file) => join(".", file).split("\\").join("/")),
    seed: shuffle ? seed : null,
    ...(request.args === undefined ? {} : { args: request.args }),
    seconds: Math.max(0.001, timeoutMs / 2000),
    ...(request.pythonPath === undefined ? {} : { paths: request.pythonPath }),
  });
}
