/** `mettle doctor`: what a run needs, what is missing, and the command that helps. Changes nothing. */
import type { CliCommand } from "../command.ts";
import { examine } from "../doctor/examine.ts";
import { readPlace } from "../doctor/place.ts";
import { reportText } from "../doctor/report.ts";

export const command: CliCommand = {
  define: () => undefined,
  async run(io) {
    const place = await readPlace(io.cwd);
    const checks = await examine(place);
    const ok = checks.every(({ state }) => state !== "fail");
    return {
      exit: ok ? 0 : 5,
      json: { ok, repository: place.repository?.root ?? null, checks },
      text: reportText(checks, { columns: io.live ? io.columns : null }),
    };
  },
};
