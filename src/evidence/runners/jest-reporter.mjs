/**
 * Mettle's reporter for jest (26 and newer): one JSON event per line, closed by `{"type":"end"}`; read by jest.ts. Plain
 * JavaScript, because jest loads it. It only passes facts on and decides nothing.
 */
import { appendFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";

// For jest-circus.mjs, which may run in processes that cannot resolve jest-circus.
process.env.METTLE_JEST_CIRCUS = circusOf(realpathSync(process.argv[1]));

const running = new Set();

export default class MettleReporter {
  constructor({ outputFile }) {
    this.file = outputFile;
    this.isOver = false;
    process.on("exit", () => {
      if (!this.isOver) this.write({ type: "exit", files: [...running] });
    });
  }

  onTestFileStart({ path }) {
    running.add(path);
  }

  onTestFileResult({ path }, { mettle, testExecError, failureMessage }) {
    running.delete(path);
    this.write({
      type: "file",
      file: path,
      // Without Mettle's own record the file's tests never started.
      tests: mettle?.tests ?? null,
      unhandled: mettle?.unhandled ?? [],
      hooks: mettle?.hooks ?? [],
      isFocused: mettle?.isFocused ?? false,
      error: testExecError == null ? null : told(testExecError, failureMessage),
    });
  }

  onRunComplete(_contexts, { wasInterrupted }) {
    this.isOver = true;
    if (!wasInterrupted) this.write({ type: "end" });
  }

  write(event) {
    appendFileSync(this.file, `${JSON.stringify(event)}\n`);
  }
}

/** The error that kept a file from running or from ending well. */
function told(error, shown) {
  const text = (value) => (value === undefined || value === null ? "" : String(value).slice(0, 16_384));
  return { name: text(error.name ?? error.type), message: text(error.message) || text(shown) };
}

/** jest's test framework, resolved from jest's own packages. */
function circusOf(entry) {
  const core = createRequire(entry).resolve("@jest/core");
  const config = createRequire(createRequire(core).resolve("jest-config"));
  for (const from of [config, createRequire(`${process.cwd()}/package.json`)])
    try {
      return from.resolve("jest-circus/runner");
    } catch {
      // jest 26 may lack it
    }
  return config.resolve("jest-jasmine2");
}
