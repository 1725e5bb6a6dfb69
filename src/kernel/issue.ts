/** Issues and cancels commands. Their keys are `<path>#<n>`; n counts the commands of that path in this run. */
import type { DispatchState, State, Thread } from "../protocol/machine.ts";
import { answersOf } from "../protocol/outcomes.ts";
import type { Cause, Command } from "./command.ts";
import { countsOf } from "./counters.ts";
import { acknowledge } from "./acknowledge.ts";
import type { Passage } from "./state.ts";
import { ownEntry, type TokenSpot, type Turn } from "./turn.ts";
import { pathOf } from "./spots.ts";

/** Stored per frame, so that a step copies the numbers of one frame and not of a whole tree. */
function nextKey({ draft }: Turn, frame: string, path: string): string {
  const paths = ownEntry(draft.issued, frame) ?? {};
  const issued = (ownEntry(paths, path) ?? 0) + 1;
  draft.issued[frame] = { ...paths, [path]: issued };
  return `${path}#${issued}`;
}

/** The fields that every command has. */
export function base(turn: Turn, spot: TokenSpot, path: string = pathOf(spot)) {
  const { frame, token } = spot;
  return {
    key: nextKey(turn, frame.id, path),
    frame: frame.id,
    path,
    state: token.state,
    ...(token.phase === null ? {} : { phase: token.phase }),
    ...(token.mode === null ? {} : { mode: token.mode }),
    counters: countsOf(turn, spot),
    ...(frame.session === null ? {} : { session: frame.session }),
    round: frame.round,
    causes: token.entry.causes,
  };
}

/** Issues the command of a state; the token then waits for its result. */
export function issue(turn: Turn, spot: TokenSpot, state: State): void {
  const command = commandFor(turn, spot, state);
  if (!command) return;
  turn.commands.push(command);
  turn.draft.open.push(command);
  if (command.type !== "ask") acknowledge(spot.frame, command.causes);
  spot.token.activity =
    command.type === "ask"
      ? { type: "asking", key: command.key, to: command.to, as: command.as }
      : { type: "working", key: command.key };
}

function commandFor(turn: Turn, spot: TokenSpot, state: State) {
  const { entry } = spot.token;
  switch (state.kind) {
    case "dispatch":
      return { type: "dispatch" as const, ...base(turn, spot), ...dispatchOf(state, entry) };
    case "check":
      return { type: "check" as const, ...base(turn, spot), gate: state.gate };
    case "merge":
      return { type: "merge" as const, ...base(turn, spot), gate: state.gate };
    case "rebase":
      return { type: "rebase" as const, ...base(turn, spot), gate: state.gate };
    case "ask": {
      const { text, to, as, shows } = state;
      const trip = entry.trip ? { trip: entry.trip } : {};
      return {
        type: "ask" as const,
        ...base(turn, spot),
        text,
        to,
        as,
        shows,
        answers: answersOf(state),
        ...trip,
      };
    }
    default:
      return null;
  }
}

function dispatchOf(state: DispatchState, entry: Passage) {
  const { role, reports, sees, params, template, writes, reply, payload } = state;
  const thread: Thread = entry.thread === undefined ? state.thread : { type: entry.thread };
  const ctx = entry.ctx ?? state.ctx;
  return {
    role,
    reports,
    sees,
    thread,
    params,
    ...(ctx === undefined ? {} : { ctx }),
    ...(template === undefined ? {} : { template }),
    ...(writes === undefined ? {} : { writes }),
    ...(reply === undefined ? {} : { reply }),
    ...(payload === undefined ? {} : { payload }),
  };
}

/** Cancels a command; a late result of it is ignored. */
export function cancel(turn: Turn, spot: TokenSpot, key: string): void {
  const { draft, commands } = turn;
  const target = draft.open.find((command) => command.key === key);
  if (!target) return;
  draft.open = draft.open.filter((command) => command.key !== key);
  draft.cancelled.push(key);
  const command: Command = { type: "cancel", ...base(turn, spot, `cancel/${target.path}`), target: key };
  commands.push(command);
}

/** Newest last; a newer cause replaces an older one of the same path. */
export function mergeCauses(...lists: readonly (readonly Cause[])[]): readonly Cause[] {
  const causes = lists.flat();
  return causes.filter(
    (cause, index) => causes.findLastIndex((later) => later.path === cause.path) === index,
  );
}
