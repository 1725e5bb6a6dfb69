/** Shared by `mettle gate` and `mettle prove`: judges the change, prints the answer, writes the files that options name. */
import { resolve } from "node:path";
import { writeNamedFile } from "./write-file.ts";
import type { InputValues } from "../lib/command-line/input-values.ts";
import { AppError } from "../lib/errors.ts";
import type { ChangeRequest, ChangeVerdict } from "../change/judge.ts";
import type { GateAnswer } from "../change/answer.ts";
import type { GateName } from "../change/gate-names.ts";
import { openForGate, type OpenedRepository } from "../change/open-for-gate.ts";
import { keptAnswer } from "../change/kept-answers.ts";
import { systemClock } from "../lib/clock.ts";
import type { CliResult, Io } from "./command.ts";
import { gateText } from "./gate-text.ts";
import { withLiveProgress } from "./live-line.ts";
import { prepareReports, requestedReports, writeReports, type RequestedReport } from "./reports.ts";
import { version } from "../config/version.ts";
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
  const change = {
    gate,
    base,
    head: given.text("head") ?? usual.head,
    red: given.text("red"),
    criteria: given.text("criteria"),
    characterize: given.flag("characterize"),
    planned: given.list("planned") ?? [],
    accepted: [...(given.list("accept-test") ?? []), ...(given.list("accept-export") ?? [])],
    bundle: bundleOut !== null,
  };
  const opened = await openForGate(io.cwd);
  const kept = await keptAnswer(opened, change, { version: version(), clock: systemClock });
  const mustExecute = given.flag("again") || out !== null || bundleOut !== null;
  const earlier = mustExecute ? null : await kept.find();
  const { answer, judged } =
    earlier === null ? await executeGate(io, opened, change) : { answer: earlier, judged: null };
  if (judged !== null) {
    await kept.keep(judged, answer);
    if (out !== null) await writeRecord(resolve(io.cwd, out), judged);
    if (bundleOut !== null && judged.bundle !== null)
      await writeNamedFile(resolve(io.cwd, bundleOut), judged.bundle);
  }
  const report = await writeReports(reports, { answer, version: version() });
  return { result: resultOf(io, { fault: judged?.fault ?? null, answer, report }), answer, reports };
}

async function executeGate(io: Io, opened: OpenedRepository, change: ChangeRequest) {
  const { judgeChange } = await import("../change/judge.ts");
  const { answerOf } = await import("../change/answer-of.ts");
  const judged = await withLiveProgress(io, (progress) =>
    judgeChange(opened, { ...change, signal: io.signal, progress }),
  );
  return { answer: answerOf(judged), judged };
}

interface Judged extends Pick<ChangeVerdict, "fault"> {
  readonly answer: GateAnswer;
  /** The report for stdout. */
  readonly report: string | null;
}

function resultOf(io: Io, { fault, answer, report }: Judged): CliResult {
  const text = gateText(answer, { columns: io.columns, fault });
  const result = { exit: verdictExit[answer.verdict], json: answer };
  if (report === null) return { ...result, text };
  io.warn(text);
  return { ...result, text: report, isData: true };
}

async function writeRecord(file: string, judged: ChangeVerdict): Promise<void> {
  const { writtenRecord } = await import("../change/answer-of.ts");
  await writeNamedFile(file, `${JSON.stringify(writtenRecord(judged), null, 2)}\n`);
}
