/** Splits the output of `cargo test` into the markers of Mettle's runner for each binary and libtest's lines between them. */
import * as z from "zod";
import { parseJson } from "../../../lib/json.ts";

const Mark = z.union([
  z.object({ begin: z.string(), folder: z.string(), tests: z.array(z.string()) }),
  z.object({ end: z.string(), code: z.number() }),
  z.object({ timeout: z.string() }),
  z.object({ forged: z.array(z.string()) }),
]);

export interface CargoTest {
  readonly name: string;
  /** Null: the test started, and its end was not reported. */
  readonly outcome: "ok" | "FAILED" | "ignored" | "timeout" | null;
  /** The output that libtest captured. */
  readonly output: string;
}

export interface CargoBinary {
  readonly binary: string;
  /** Absolute path of its package. */
  readonly folder: string;
  /** Names of its tests, from the binary's own list. */
  readonly listed: readonly string[];
  readonly tests: readonly CargoTest[];
  /** Whether its end was reported. */
  readonly ended: boolean;
}

export interface CargoOutput {
  readonly binaries: readonly CargoBinary[];
  /** Doc tests, which rustdoc runs. */
  readonly documentation: readonly CargoTest[];
}

export function readCargoOutput(stdout: string): CargoOutput {
  const binaries: CargoBinary[] = [];
  let open: { readonly begin: string; readonly folder: string; readonly tests: readonly string[] } | null =
    null;
  let lines: string[] = [];
  const outside: string[] = [];
  const slow = new Set<string>();
  const forged = new Set<string>();
  const timed = (test: CargoTest): CargoTest => {
    if (forged.has(test.name)) return { ...test, outcome: null };
    return slow.has(test.name) ? { ...test, outcome: "timeout" } : test;
  };
  const close = (ended: boolean) => {
    if (open !== null) {
      const { begin: binary, folder, tests: listed } = open;
      binaries.push({ binary, folder, listed, tests: readLibtest(lines).map(timed), ended });
    }
    open = null;
    lines = [];
    slow.clear();
    forged.clear();
  };
  for (const line of stdout.split("\n")) {
    const mark = line.startsWith("#mettle ") ? Mark.safeParse(parseJson(line.slice(8))) : null;
    if (mark?.success === true && "timeout" in mark.data) slow.add(mark.data.timeout);
    else if (mark?.success === true && "forged" in mark.data)
      mark.data.forged.forEach((name) => forged.add(name));
    else if (mark?.success === true) {
      close("end" in mark.data);
      if ("begin" in mark.data) open = mark.data;
    } else if (open === null) outside.push(line);
    else lines.push(line);
  }
  close(false);
  return { binaries, documentation: readLibtest(outside) };
}

const started = /^test (.+?)(?: - should panic)? \.\.\. (.*)$/;
const ending = /^(ok|FAILED|ignored)\b/;
/** Output that bypasses libtest's capture appears between a test's name and its result. */
const lateEnding = /(?:^|\W)(ok|FAILED|ignored)$/;

/**
 * Reads the lines of one or more libtest processes, which run one test at a time. While a test is open, a line about another
 * test is output of the open one. A test with two results has none; a test with a failure section has failed.
 */
export function readLibtest(lines: readonly string[]): readonly CargoTest[] {
  const endings = new Map<string, Set<string>>();
  const outputs = new Map<string, string>();
  // A result that follows a test's own output is trusted only if libtest printed its summary.
  let doubtful: { readonly name: string; readonly word: string }[] = [];
  let open: string | null = null;
  let late: string | null = null;
  let block: string | null = null;
  const end = (name: string, word: string | undefined) => {
    const known = endings.get(name) ?? new Set();
    endings.set(name, word === undefined ? known : known.add(word));
    open = word === undefined ? name : null;
  };
  for (const line of lines) {
    const heading = /^---- (.+) stdout ----$/.exec(line)?.[1];
    const [, name, rest = ""] = started.exec(line) ?? [];
    if (/^running \d+ tests?$/.test(line)) {
      [open, late, block] = [null, null, null];
      doubtful = [];
    } else if (heading !== undefined) block = heading.replace(/ - should panic$/, "");
    else if (line === "failures:") block = null;
    else if (line.startsWith("test result: ")) {
      block = null;
      for (const { name: one, word } of doubtful) end(one, word);
      doubtful = [];
    } else if (block !== null) outputs.set(block, `${outputs.get(block) ?? ""}${line}\n`);
    else if (name !== undefined && (open === null || open === name)) {
      end(name, ending.exec(rest)?.[1]);
      late = open;
    } else if (late !== null && lateEnding.test(line)) {
      doubtful.push({ name: late, word: lateEnding.exec(line)?.[1] ?? "" });
      open = null;
    }
  }
  return [...endings].map(([name, words]) => {
    const output = outputs.get(name);
    if (output !== undefined) return { name, outcome: "FAILED", output };
    return { name, outcome: words.size === 1 ? outcomeOf([...words][0]) : null, output: "" };
  });
}

function outcomeOf(word: string | undefined): CargoTest["outcome"] {
  return word === "ok" || word === "FAILED" || word === "ignored" ? word : null;
}
