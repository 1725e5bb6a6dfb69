/** The option `--report FORMAT=FILE` of `mettle gate` and `mettle prove`. */
import { lstat, mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Report } from "../change/report/outcomes.ts";
import { reportFormats, writeReport, type ReportFormat } from "../change/report/report.ts";
import { AppError } from "../lib/errors.ts";

export interface RequestedReport {
  readonly format: ReportFormat;
  /** A full path; null for stdout. */
  readonly file: string | null;
}

export function requestedReports(given: readonly string[], cwd: string): readonly RequestedReport[] {
  const reports = given.map((words): RequestedReport => {
    const at = words.indexOf("=");
    const format = reportFormats.find((name) => name === words.slice(0, Math.max(0, at)));
    const file = words.slice(at + 1);
    if (format === undefined || file === "")
      throw usage(
        `${JSON.stringify(words)} is not FORMAT=FILE`,
        `formats: ${reportFormats.join(", ")}; FILE - is stdout`,
      );
    return { format, file: file === "-" ? null : resolve(cwd, file) };
  });
  const files = reports.map(({ file }) => file);
  const twice = reports.find(({ file }, at) => files.indexOf(file) < at);
  if (twice !== undefined)
    throw usage(`two reports go to ${twice.file ?? "stdout"}`, "name a file of its own for each");
  return reports;
}

/** Makes the folders and removes old reports, so that a command that fails leaves none of an earlier change. */
export async function prepareReports(reports: readonly RequestedReport[]): Promise<void> {
  for (const { file } of reports) {
    if (file === null) continue;
    try {
      await mkdir(dirname(file), { recursive: true });
      const old = await lstat(file).catch(() => null); // missing
      if (old?.isDirectory() === true) throw new Error("it is a folder");
      if (old?.isFile() === false) continue; // a device or a link is only written to
      await rm(file, { force: true });
      await writeFile(file, "");
      await rm(file);
    } catch (cause) {
      throw unwritable(file, cause);
    }
  }
}

/** @returns the text for stdout; null if no report goes there */
export async function writeReports(
  reports: readonly RequestedReport[],
  report: Report,
): Promise<string | null> {
  let stdout: string | null = null;
  for (const { format, file } of reports) {
    const text = writeReport(format, report);
    if (file === null) stdout = text;
    else
      await writeFile(file, `${text}\n`).catch((cause: unknown) => Promise.reject(unwritable(file, cause)));
  }
  return stdout;
}

function unwritable(file: string, cause: unknown): AppError {
  return new AppError("usage", `${file} cannot be written`, {
    hint: "name a file in a writable folder",
    cause,
  });
}

function usage(message: string, hint: string): AppError {
  return new AppError("usage", message, { hint });
}
