/** `mettle doctor`: reports what a run needs, what is missing, and the command that fixes it. Changes nothing. */
import { AppError } from "../../lib/errors.ts";
import { withHost } from "../../run/host.ts";
import type { CliResult, Io, CommandHandler } from "../command.ts";
import { compareText, isAgreed } from "../doctor/compare-text.ts";
import { examine } from "../doctor/examine.ts";
import { readContext } from "../doctor/context.ts";
import { sharedStoreChecks } from "../doctor/shared-store.ts";
import { reportText } from "../doctor/report.ts";
import type { DoctorContext } from "../doctor/check.ts";
import { withLiveProgress } from "../live-line.ts";

export const run: CommandHandler = async (io, given) => {
  const context = await readContext(io.cwd);
  const isOfStore = given.flag("store");
  if (isOfStore && given.flag("run"))
    throw new AppError("usage", "--store looks at the shared store, --run at the base", {
      hint: "call `mettle doctor` once with each",
    });
  const checks = await (isOfStore ? examine(context, sharedStoreChecks()) : examine(context));
  const ok = checks.every(({ state }) => state !== "fail");
  const result: CliResult = {
    exit: ok ? 0 : 5,
    json: { ok, repository: context.repository?.root ?? null, checks },
    text: reportText(checks, {
      columns: io.live ? io.columns : null,
      needs: isOfStore ? "A worker" : "A run",
    }),
  };
  return given.flag("run") && typeof context.head === "string" ? withComparison(io, context, result) : result;
};

/** Adds the comparison with the project's own test command: exit code 1 if they differ, 5 if no run could begin. */
async function withComparison(
  io: Io,
  { head, settings }: DoctorContext,
  result: CliResult,
): Promise<CliResult> {
  const { compareBase } = await import("../../change/own-run/compare-tests.ts");
  const wish = { settings, commit: String(head), signal: io.signal };
  const base = await withHost(io.cwd, (host) =>
    withLiveProgress(io, (progress) => compareBase(host, { ...wish, progress })),
  );
  const agree = isAgreed(base);
  const exit = base.unusable === null ? (agree ? result.exit : Math.max(result.exit, 1)) : 5;
  return {
    exit,
    json: { ...result.json, run: { ...base, agree } },
    text: `${result.text}\n\n${compareText(base)}`,
  };
}
