/** `mettle doctor`: what a run needs, what is missing, and the command that helps. Changes nothing. */
import { withHost } from "../../run/host.ts";
import type { CliResult, Io, Run } from "../command.ts";
import { compareText, isAgreed } from "../doctor/compare-text.ts";
import { examine } from "../doctor/examine.ts";
import { readPlace } from "../doctor/place.ts";
import { reportText } from "../doctor/report.ts";
import type { Place } from "../doctor/check.ts";
import { toldLive } from "../live-line.ts";

export const run: Run = async (io, given) => {
  const place = await readPlace(io.cwd);
  const checks = await examine(place);
  const ok = checks.every(({ state }) => state !== "fail");
  const result: CliResult = {
    exit: ok ? 0 : 5,
    json: { ok, repository: place.repository?.root ?? null, checks },
    text: reportText(checks, { columns: io.live ? io.columns : null }),
  };
  return given.flag("run") && typeof place.head === "string" ? compared(io, place, result) : result;
};

/** Exit code 1 where the two do not say the same, 5 where no run could begin. */
async function compared(io: Io, { head, settings }: Place, result: CliResult): Promise<CliResult> {
  const { compareBase } = await import("../../change/own-run/compare-tests.ts");
  const wish = { settings, commit: String(head), signal: io.signal };
  const base = await withHost(io.cwd, (host) =>
    toldLive(io, (progress) => compareBase(host, { ...wish, progress })),
  );
  const agree = isAgreed(base);
  const exit = base.unusable === null ? (agree ? result.exit : Math.max(result.exit, 1)) : 5;
  return {
    exit,
    json: { ...result.json, run: { ...base, agree } },
    text: `${result.text}\n\n${compareText(base)}`,
  };
}
