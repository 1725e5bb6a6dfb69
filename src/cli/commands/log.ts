import { withHost } from "../../run/host.ts";
import { recorded } from "../../run/list-runs.ts";
import { findRun } from "../../run/find-run.ts";
import { readCalls, type LoggedCall } from "../../plans/call-log.ts";
import { shellWords } from "../../views/shell-words.ts";
import { timeline, timelineText } from "../../views/run/timeline.ts";
import type { CommandHandler } from "../command.ts";

export const run: CommandHandler = async (io, given) => {
  return withHost(io.cwd, async (host) => {
    const named = given.text("run");
    const calls = named === null ? readCalls(host.home.root) : [];
    const isAlone = calls.length > 0 && (await host.journal.newestRun()) === null;
    const run = isAlone ? null : await findRun(host, named);
    const events = run === null ? [] : timeline((await host.journal.read(run)).map(recorded));
    const parts = [
      ...(run === null ? [] : [timelineText(events)]),
      ...(calls.length === 0 ? [] : [["calls of envoy:", ...calls.map(callLine)].join("\n")]),
    ];
    return { exit: 0, json: { run, events, calls }, text: parts.join("\n\n") };
  });
};

function callLine(call: LoggedCall): string {
  const who = `${call.agent ?? "-"} on ${call.branch ?? "-"}`;
  const line = `envoy ${call.command} ${shellWords(call.arguments)}`.trimEnd();
  const note = call.note === undefined ? "" : `\n  ${call.note}`;
  return `${call.at} exit ${call.code} ${call.duration_ms} ms ${who}: ${line}${note}`;
}
