import type { Runner } from "../runner.ts";
import { asset } from "./assets.ts";
import { listOptions, options, pythonEnv, pythonReport, pythonTestFiles } from "./pytest.ts";
import { readList } from "./test-file-list.ts";
import { readPythonReport } from "./python-report.ts";

const script = asset("mettle_unittest.py");

/** Python's unittest; test files are loaded by path. */
export const unittest: Runner = {
  name: "unittest",
  program: "python3",
  entry: null,
  testFiles: pythonTestFiles,
  assets: [script, pythonReport],
  env: pythonEnv,
  // Of Python.
  oldest: "3.6.0",
  argv: (request) => ["-s", script, options(request, "")],
  parse: readPythonReport,
  list: { argv: (request) => ["-s", script, listOptions(request, "")], parse: readList },
};
