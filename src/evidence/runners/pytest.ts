import { join } from "node:path";
import type { ListRequest, Runner, RunnerRequest } from "../runner.ts";
import { asset } from "./assets.ts";
import { readList } from "./listed.ts";
import { readPythonReport } from "./python-report.ts";

const script = asset("mettle_pytest.py");
const noConfig = asset("mettle-pytest.ini");
export const pythonReport = asset("mettle_python_report.py");
/** Filled in by the runtime as the `sitecustomize` of a run. */
export const pythonPaths = asset("mettle_paths.py");

/** Files of these names are tests to pytest and to unittest. */
export const pythonTestFiles = ["**/test_*.py", "**/*_test.py"];

/** No user site, no byte code beside the sources, nothing of PYTHON* that the machine may carry. */
export const pythonEnv = { PYTHONDONTWRITEBYTECODE: "1", PYTHONNOUSERSITE: "1" };

/** pytest (seen: 9.0) as a library of a script of ours: it cannot be replaced by a `pytest.py` of the project. */
export const pytest: Runner = {
  name: "pytest",
  program: "python3",
  module: "pytest",
  entry: null,
  testFiles: pythonTestFiles,
  assets: [script, pythonReport, noConfig],
  env: pythonEnv,
  argv: (request) => ["-s", script, options(request, request.config ?? noConfig)],
  parse: readPythonReport,
  list: {
    argv: (request) => ["-s", script, listOptions(request, request.config ?? noConfig)],
    parse: readList,
  },
};

/** What the scripts read where they are asked for a list. */
export function listOptions(request: ListRequest, config: string): string {
  const { project, report, args, pythonPath: paths } = request;
  return JSON.stringify({ project, report, config, list: true, args, paths });
}

/** What the scripts read, as one argument. */
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
