/** Reads the output of mettle_pytest.py and mettle_unittest.py as a test report. */
import { join } from "node:path";
import * as z from "zod";
import { classify } from "../classify.ts";
import { projectPath } from "../project-path.ts";
import type { RunnerOutput } from "../runner.ts";
import { numberDuplicates, fileOfTest } from "../test-ids.ts";
import type { FailureKind, TestProblem, TestReport, TestResult } from "../test-result.ts";
import { reportValue } from "./report-json.ts";

const Thrown = z.object({
  /** Names of the class and of its base classes. */
  names: z.array(z.string()),
  message: z.string(),
  frames: z.array(z.tuple([z.string(), z.number()])),
  hook: z.boolean().optional(),
});
type Thrown = z.infer<typeof Thrown>;

const Line = z.discriminatedUnion("type", [
  z.object({ type: z.literal("item"), id: z.string() }),
  z.object({ type: z.literal("start"), id: z.string() }),
  z.object({
    type: z.literal("test"),
    id: z.string(),
    status: z.enum(["passed", "failed", "skipped", "todo"]),
    error: Thrown.nullable(),
  }),
  z.object({ type: z.literal("load"), file: z.string(), error: Thrown }),
  z.object({ type: z.literal("hook"), where: z.string(), error: Thrown }),
  z.object({ type: z.literal("end"), code: z.number() }),
]);
type Line = z.infer<typeof Line>;

export function readPythonReport({ report, project, files }: RunnerOutput): TestReport {
  const lines = report === null ? null : read(report);
  if (lines === null) return { report: false, tests: [], loadErrors: [], problems: [] };
  const end = lines.find((line) => line.type === "end");
  const reported = lines.flatMap((line) => (line.type === "test" ? [result(line, project)] : []));
  const tests = numberDuplicates([...reported, ...unfinished(lines, end !== undefined)]);
  const loadErrors = lines.flatMap((line) =>
    line.type === "load" ? [{ file: line.file, message: firstWords(line.error) }] : [],
  );
  const seen = new Set([...tests.map(({ id }) => fileOfTest(id)), ...loadErrors.map(({ file }) => file)]);
  return {
    report: end !== undefined,
    tests,
    loadErrors,
    problems:
      end === undefined
        ? []
        : [
            ...lines.flatMap((line): readonly TestProblem[] =>
              line.type === "hook"
                ? [{ code: "hook", file: null, message: `${line.where}: ${line.error.message}` }]
                : [],
            ),
            ...files
              .map((file) => join(".", file).split("\\").join("/"))
              .filter((file) => !seen.has(file))
              .map((file): TestProblem => ({ code: "no_tests", file, message: "the file holds no test" })),
            ...stopped(end.code),
          ],
  };
}

/** pytest's exit codes besides 0, 1 and 5: interrupted, internal error, or wrong usage. */
function stopped(code: number): readonly TestProblem[] {
  if (code === 0 || code === 1 || code === 5) return [];
  return [{ code: "interrupted", file: null, message: `the runner did not finish its work (${code})` }];
}

function read(text: string): readonly Line[] | null {
  const lines: Line[] = [];
  for (const line of text.split("\n").slice(0, -1)) {
    const parsed = Line.safeParse(reportValue(line));
    if (!parsed.success) return null;
    lines.push(parsed.data);
  }
  return lines;
}

/** Tests that were collected and never reported. */
function unfinished(lines: readonly Line[], ended: boolean): readonly TestResult[] {
  const known = new Map<string, number>();
  const count = (id: string, by: number) => known.set(id, (known.get(id) ?? 0) + by);
  for (const line of lines) {
    if (line.type === "item") count(line.id, 1);
    if (line.type === "test") count(line.id, -1);
  }
  const message = ended ? "collected, but did not finish" : "did not finish before the process ended";
  return [...known].flatMap(([id, open]): readonly TestResult[] =>
    open > 0 ? [{ id, status: "pending", kind: "crash", message, frames: [] }] : [],
  );
}

function result({ id, status, error }: Extract<Line, { type: "test" }>, project: string): TestResult {
  if (status !== "failed") return { id, status, kind: null, message: "", frames: [] };
  if (error === null) return { id, status, kind: "other-throw", message: "", frames: [] };
  const frames = error.frames.flatMap(([file, line]) => {
    const path = projectPath(file, project);
    // Not every Python version reports the column of a frame.
    return path === null ? [] : [`${path}:${line}:1`];
  });
  return { id, status, kind: kindOf(error), message: messageOf(error), frames };
}

function kindOf({ names, message, hook }: Thrown): FailureKind {
  if (names.includes("TimedOut")) return "timeout";
  if (hook === true) return "hook";
  // pytest.fail and an unmet pytest.raises throw `Failed`.
  if (
    names.some((name) =>
      /^(?:AssertionError|AssertionFailed|DocTestFailure|ApprovalException)$/.test(name),
    ) ||
    (names[0] === "Failed" && names.includes("OutcomeException"))
  )
    return "assertion";
  if (names.includes("NotImplementedError")) return "not-implemented";
  return classify({ name: names[0] ?? "", code: "", message });
}

/** Reports the marker as other runners do, so that readers need no rule for Python. */
function messageOf({ names, message }: Thrown): string {
  if (!names.includes("NotImplementedError") || /^not implemented/i.test(message)) return message;
  return message === "" ? "not implemented" : `not implemented: ${message}`;
}

function firstWords(error: Thrown): string {
  const marked = messageOf(error);
  if (/^not implemented/i.test(marked)) return marked;
  return `${error.names[0] ?? "Error"}: ${error.message}`;
}
