import { systemClock } from "../../../lib/clock.ts";
import { findDebugLogs, removeDebugLogs } from "../../../plans/debug-logs/cleanup.ts";
import type { CommandCall, Data } from "../../command.ts";
import { checkoutOf } from "../on-prompt.ts";

export async function run(call: CommandCall): Promise<Data> {
  const repository = await checkoutOf(call);
  const found = await findDebugLogs(repository);
  const unrecognized = { unrecognized_markers: found.unrecognized };
  if (call.given.flag("dry-run"))
    return {
      success: true,
      files_modified: [],
      markers_removed: 0,
      ...unrecognized,
      skipped: found.skipped,
      would_remove: found.files.flatMap(({ path: file, removals }) =>
        removals.map(({ first, last, text }) => ({
          path: file,
          lines: `${first}-${last}`,
          text: Buffer.from(text, "latin1").toString("utf8"),
        })),
      ),
    };
  const done = await removeDebugLogs(repository, found, systemClock);
  return {
    success: true,
    files_modified: done.modified,
    markers_removed: done.markers,
    ...unrecognized,
    skipped: [...found.skipped, ...done.skipped],
    ...(done.rescue !== null && { rescue_ref: done.rescue }),
  };
}
