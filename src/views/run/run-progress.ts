/** The current activity of a run, for the progress line. Pure: the caller passes the time. */
import type { Command } from "../../kernel/command.ts";
import type { ProgressState } from "./progress-line.ts";
import type { RunView } from "../../log/run-view.ts";

/** Null while no dispatch or check is open. */
export function progressOf(view: RunView, nowMs: number): ProgressState | null {
  const key = view.order.findLast((other) => {
    const entry = view.commands[other];
    return (
      entry &&
      !entry.result &&
      ["dispatch", "check"].includes(entry.command.type) &&
      !view.cancelled.includes(other)
    );
  });
  const entry = key === undefined ? undefined : view.commands[key];
  if (key === undefined || !entry) return null;
  const record = view.records.at(-1);
  return {
    phase: entry.command.phase ?? entry.command.state,
    agent: agentOf(view, key, entry.command),
    round: view.order.filter((other) => view.commands[other]?.command.path === entry.command.path).length,
    attempt: attemptOf(entry.command),
    elapsedMs: nowMs - Date.parse(entry.at),
    lastEvidence: record ? `${record.purpose} ${record.verdict}, exit ${record.exitCode ?? "none"}` : null,
  };
}

function agentOf(view: RunView, key: string, command: Command): string | null {
  if (command.type !== "dispatch") return null;
  const agent = view.dispatches[key]?.agent;
  return agent === undefined ? command.role : `${command.role} (${agent})`;
}

/** The counter of the command's loop: it has the name of the check's gate, or of the state. */
function attemptOf(command: Command): ProgressState["attempt"] {
  const name = command.type === "check" ? command.gate : command.state;
  return command.counters[name] ?? null;
}
