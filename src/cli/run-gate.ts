/** Shared by `mettle gate` and `mettle prove`: judges the change, prints the answer, writes the files that options name. */
import { resolve } from "node:path";
import { writeNamedFile } from "./write-file.ts";
import type { InputValues } from "../lib/command-line/input-values.ts";
import { AppError } from "../lib/errors.ts";
import type { ChangeVerdict, GateName } from "../change/judge.ts";
import type { GateAnswer } from "../change/answer.ts";
import type { CliResult, Io } from "./command.ts";
import { gateText } from "./gate-text.ts";
import { withLiveProgress } from "./live-line.ts";
import { prepareReports, requestedReports, writeReports, type RequestedReport } from "./reports.ts";
import { version } from "./version.ts";
import { verdictExit } from "../evidence/verdict-exit.ts";

/** The commits to judge, if the command line does not name them. */
export interface DefaultRevisions {
  readonly base: string | null;
  readonly head: string;
}

export interface GateRun {
  readonly result: CliResult;
  readonly answer: GateAnswer;
  readonly reports: readonly RequestedReport[];
}

export async function runGate(io: Io, gate: GateName, given: InputValues): Promise<CliResult> {
  return (await judgeGiven(io, gate, given, { base: null, head: "HEAD" })).result;
}

export async function judgeGiven(
  io: Io,
  gate: GateName,
  given: InputValues,
  usual: DefaultRevisions,
): Promise<GateRun> {
  const base = given.text("base") ?? usual.base;
  const out = given.text("out");
  const bundleOut = given.text("bundle-out");
  if (base === null)
    throw new AppError("usage", "the commit before the change is missing", {
      hint: "name it: --base main",
    });
  const reports = requestedReports(given.list("report") ?? [], io.cwd);
  if (io.json && reports.some(({ file }) => file === null))
    throw new AppError("usage", "--json and a report for stdout exclude each other", {
      hint: "write the report to a file, or JSON too: --report json=FILE",
    });
  await prepareReports(reports);
  const { judgeChange } = await import("../change/judge.ts");
  const { answerOf } = await import("../change/answer.ts");
  const judged = await withLiveProgress(io, (progress) =>
    judgeChange(io.cwd, {
      gate,
      base,
      head: given.text("head") ?? usual.head,
      red: given.text("red"),
      criteria: given.text("criteria"),
      characterize: given.flag("characterize"),
      planned: given.list("planned") ?? [],
      accepted: [...(given.list("accept-test") ?? []), ...(given.list("accept-export") ?? [])],
      signal: io.signal,
      progress,
      bundle: bundleOut !== null,
    }),
  );
  const answer = answerOf(judged);
  if (out !== null) await writeRecord(resolve(io.cwd, out), judged);
  if (bundleOut !== null && judged.bundle !== null)
    await writeNamedFile(resolve(io.cwd, bundleOut), judged.bundle);
  const report = await writeReports(reports, { answer, version: version() });
  return { result: resultOf(io, { judged, answer, report }), answer, reports };
}

interface Judged {
  readonly judged: ChangeVerdict;
  readonly answer: GateAnswer;
  /** The report for stdout. */
  readonly report: string | null;
}

function resultOf(io: Io, { judged, answer, report }: Judged): CliResult {
  const text = gateText(answer, { columns: io.columns, fault: judged.fault });
  const result = { exit: verdictExit[answer.verdict], json: answer };
  if (report === null) return { ...result, text };
  io.warn(text);
  return { ...result, text: report, isData: true };
}

async function writeRecord(file: string, judged: ChangeVerdict): Promise<void> {
  const { writtenRecord } = await import("../change/answer.ts");
  await writeNamedFile(file, `${JSON.stringify(writtenRecord(judged), null, 2)}\n`);
}
