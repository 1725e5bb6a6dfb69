/** What `mettle prove --ci` leaves in a job: annotations in its log, and for GitHub its summary and outputs. */
import { appendFile } from "node:fs/promises";
import type { GateAnswer } from "../change/answer.ts";
import type { CiHost } from "../change/ci/ci-revisions.ts";
import { annotationLine, githubAnnotations, withoutCommands } from "../change/report/github.ts";
import { markdownError } from "../change/report/markdown.ts";
import { writeReport } from "../change/report/report.ts";
import { environment, variable } from "../config/env.ts";
import { AppError } from "../lib/errors.ts";
import type { CliResult, Io } from "./command.ts";
import type { GateRun } from "./run-gate.ts";
import { version } from "../config/version.ts";

/** @returns the result with the text for the log of the job */
export async function reportToJob(host: CiHost, { result, answer, reports }: GateRun): Promise<CliResult> {
  if (host === "gitlab") return result;
  await addTo("GITHUB_STEP_SUMMARY", `${summaryOf(answer)}\n\n`);
  const files = reports.flatMap(({ format, file }) => (file === null ? [] : [`${format}=${file}`]));
  await addTo("GITHUB_OUTPUT", [`verdict=${answer.verdict}`, ...files.filter(isOneLine), ""].join("\n"));
  return { ...result, text: [withoutCommands(result.text), ...githubAnnotations(answer)].join("\n") };
}

/** The job shows why nothing was judged. */
export async function reportErrorToJob(host: CiHost, io: Io, error: AppError): Promise<void> {
  if (host === "gitlab") return;
  const { code, message, hint } = error;
  io.print(annotationLine({ level: "error", title: code, text: `${message}\n${hint}`, place: null }));
  await addTo("GITHUB_STEP_SUMMARY", `${markdownError({ code, message, hint })}\n\n`);
  await addTo("GITHUB_OUTPUT", "verdict=error\n");
}

function summaryOf(answer: GateAnswer): string {
  return writeReport("markdown", { answer, version: version() });
}

function isOneLine(text: string): boolean {
  return !/[\r\n]/u.test(text);
}

/** @param name of the variable that names the file */
async function addTo(name: string, text: string): Promise<void> {
  const file = variable(name, environment());
  if (file === null) return;
  await appendFile(file, text).catch((cause: unknown) => {
    throw new AppError("usage", `${file} of ${name} cannot be written`, {
      hint: "--ci github is for a step of GitHub Actions",
      cause,
    });
  });
}
