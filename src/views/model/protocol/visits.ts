/** Where a run was: one visit for each command, named by its place in the definition of its machine. Pure. */
import type { SpawnCommand } from "../../../kernel/command.ts";
import type { RunView } from "../../../log/run-view.ts";

export interface Visit {
  readonly machine: string;
  readonly frame: string;
  /** The step, without the frame. */
  readonly path: string;
  readonly type: string;
  readonly isOpen: boolean;
  readonly outcome: string | null;
  readonly key: string;
  /** The steps of the same frame whose results led here, with the keys of these results. */
  readonly causes: readonly { readonly path: string; readonly key: string }[];
}

export function visitsOf({
  order,
  commands,
  cancelled,
}: Pick<RunView, "order" | "commands" | "cancelled">): readonly Visit[] {
  const machines = new Map([["main", "main"]]);
  const dropped = new Set(cancelled);
  const begun = new Map<string, Visit>();
  const visits: Visit[] = [];
  const openFrames = new Set<string>();
  for (const key of order) {
    const entry = commands[key];
    if (entry === undefined) continue;
    const { command, result } = entry;
    if (command.type === "cancel" || command.type === "finish" || command.type === "timer") continue;
    const { frame } = command;
    const isOpen = command.type !== "spawn" && result === null && !dropped.has(key);
    const visit: Visit = {
      machine: machines.get(frame) ?? "",
      frame,
      path: within(frame, command.type === "spawn" ? withoutItem(command) : command.path),
      type: command.type,
      isOpen,
      outcome: result?.outcome ?? null,
      key,
      causes: command.causes
        .filter(({ path }) => frame === "main" || path.startsWith(`${frame}/`))
        .map((cause) => ({ path: within(frame, cause.path), key: cause.key })),
    };
    visits.push(visit);
    if (isOpen) openFrames.add(frame);
    if (command.type === "spawn") {
      machines.set(command.child, command.machine);
      begun.set(command.child, visit);
    }
  }
  const withOpen = new Set([...openFrames].flatMap(frameAndParents));
  const atWork = new Set([...begun].flatMap(([child, visit]) => (withOpen.has(child) ? [visit] : [])));
  return visits.map((visit) => (atWork.has(visit) ? { ...visit, isOpen: true } : visit));
}

function frameAndParents(frame: string): readonly string[] {
  const parts = frame.split("/");
  return parts.map((_part, index) => parts.slice(0, index + 1).join("/"));
}

/** A child is begun at the step that has the items. */
function withoutItem({ path, item }: SpawnCommand): string {
  return path.endsWith(`/${item}`) ? path.slice(0, -item.length - 1) : path;
}

function within(frame: string, path: string): string {
  return frame !== "main" && path.startsWith(`${frame}/`) ? path.slice(frame.length + 1) : path;
}
