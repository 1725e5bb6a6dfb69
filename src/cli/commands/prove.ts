/** `mettle prove`: judges whether the tests of a change prove it. Needs no run and changes nothing. */
import type { CiHost } from "../../change/ci/ci-revisions.ts";
import type { InputValues } from "../../lib/command-line/input-values.ts";
import { AppError } from "../../lib/errors.ts";
import type { CliResult, CommandHandler, Io } from "../command.ts";
import { judgeGiven, runGate } from "../run-gate.ts";

export const run: CommandHandler = async (io, given) => {
  const host = given.text("ci");
  if (host === null) return runGate(io, "prove", given);
  return proveInJob(io, given, host === "github" ? "github" : "gitlab");
};

async function proveInJob(io: Io, given: InputValues, host: CiHost): Promise<CliResult> {
  const { reportErrorToJob, reportToJob } = await import("../ci-job.ts");
  const { ciRevisions } = await import("../../change/ci/ci-revisions.ts");
  if (io.json || (given.list("report") ?? []).some((report) => report.endsWith("=-")))
    throw new AppError("usage", "--ci prints for the log of a job, so stdout is taken", {
      hint: "write the answer to a file: --report json=FILE",
    });
  try {
    const isNamed = given.text("base") !== null && given.text("head") !== null;
    const usual = isNamed ? { base: null, head: "HEAD" } : await ciRevisions(io.cwd, host);
    return await reportToJob(host, await judgeGiven(io, "prove", given, usual));
  } catch (error) {
    if (error instanceof AppError) await reportErrorToJob(host, io, error);
    throw error;
  }
}
