/** Runs the tests once with a note at each changed statement, to learn which tests execute which mutants. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { newId } from "../../lib/ids.ts";
import { readPlainFile } from "../../lib/plain-file.ts";
import { idsWith } from "../../gates/suite/suite.ts";
import { isScript } from "../../source/syntax.ts";
import type { MutableFile } from "../../source/mutants/mutant.ts";
import { filesChanged, type Checkout } from "../checkout/checkout.ts";
import type { ProofSetting } from "../proof-package.ts";
import { owns, type SuiteRun } from "../setting.ts";
import { loadTestNamer, notingPython, notingScript, type NoteNames } from "./note-calls.ts";
import { readNotes, type Notes } from "./notes.ts";

export interface ProbeRequest {
  readonly setting: ProofSetting;
  readonly checkout: Checkout;
  readonly files: readonly MutableFile[];
  /** Test files to run. */
  readonly tests: readonly string[];
  run(checkout: Checkout, tests: readonly string[]): Promise<SuiteRun>;
}

export interface Probe {
  /** By number of the mark among those of all files; null where they are not readable. */
  readonly notes: Notes | null;
  /** Ids of the tests that passed. */
  readonly passed: ReadonlySet<string>;
  readonly tookMs: number;
}

export async function probeTests({ setting, checkout, files, tests, run }: ProbeRequest): Promise<Probe> {
  const name = `m${newId(11)}`;
  const names: NoteNames = { call: name, file: join(checkout.path, `.${name}`), root: checkout.path };
  await writeNotes(files, { names, tests, checkout });
  await writeTests(setting, { names, tests, checkout });
  filesChanged(checkout);
  const { suite, runs } = await run(checkout, tests);
  const text = await readPlainFile(names.file);
  return {
    // A note that cannot be written fails its test.
    notes: text === null ? new Map() : readNotes(text),
    passed: new Set(idsWith(suite, "passed")),
    tookMs: runs.reduce((sum, { ran }) => sum + ran.ended - ran.started, 0),
  };
}

interface Writing {
  readonly names: NoteNames;
  readonly tests: readonly string[];
  readonly checkout: Checkout;
}

async function writeNotes(files: readonly MutableFile[], { names, tests, checkout }: Writing): Promise<void> {
  let firstMark = 0;
  for (const file of files) {
    const text = isScript(file.path)
      ? notingScript(file, names, firstMark)
      : notingPython(file, { names, firstMark, tests });
    await writeFile(join(checkout.path, file.path), text);
    firstMark += file.marks.length;
  }
}

async function writeTests({ packages }: ProofSetting, { names, tests, checkout }: Writing): Promise<void> {
  const named = await loadTestNamer(names);
  for (const path of tests.filter(isScript)) {
    const runner = packages.find((one) => owns(one, path))?.found.name;
    const text = await readPlainFile(join(checkout.path, path));
    const changed = runner === undefined || text === null ? null : named(path, text, runner);
    if (changed !== null) await writeFile(join(checkout.path, path), changed);
  }
}
