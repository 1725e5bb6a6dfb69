/** The children of an `each` in a walk: none or one, routed by `first` and `join` when it ends or asks. */
import type { EachState } from "../machine.ts";
import { askedOutcome, emptyOutcome } from "../outcomes.ts";
import { routeIn, wordOf } from "../routes.ts";
import { answer, follow } from "./follow.ts";
import { keyOf, spotsOf, type WalkFrame, type Memory, type WalkToken } from "./position.ts";
import { emptyMemory, type FrameResult, type WalkState, type WalkResult, type Scope } from "./scope.ts";

interface Child {
  readonly token: WalkToken;
  readonly state: EachState;
  readonly child: WalkFrame;
}

export function startChild(
  scope: Scope,
  token: WalkToken,
  state: EachState,
  now: WalkState,
): readonly WalkResult[] {
  const { protocol } = scope.world;
  const machine = Object.hasOwn(protocol.machines, state.machine)
    ? protocol.machines[state.machine]
    : undefined;
  const none = state.min === 0 ? answer(scope, { token, outcome: emptyOutcome }, now) : [];
  const kept = now.memory.finished[token.spot.id];
  const left = kept === undefined ? [] : judgeChild(scope, { token, state, outcome: kept }, now);
  if (machine === undefined) return [...none, ...left];
  const around = [...scope.around, scope.machine.name];
  if (around.includes(machine.name)) {
    const any = [...state.join, ...Object.keys(state.first)];
    const ended = any.flatMap((outcome) =>
      judgeChild(scope, { token, state: { ...state, keep: false }, outcome }, now),
    );
    return [...none, ...ended];
  }
  const begun = scope.walker.beginFrame(
    { ...scope, machine, around },
    { ...now, memory: emptyMemory(scope.world) },
  );
  return [
    ...none,
    ...left,
    ...begun.flatMap((result) => settleChild(scope, { token, state }, { result, memory: now.memory })),
  ];
}

export function childMoves(
  scope: Scope,
  { token, state, child }: Child,
  now: WalkState,
): readonly WalkResult[] {
  const key = `${child.around.join(">")}${keyOf({ frame: child, proved: now.proved })}`;
  const known = scope.world.childMoves.get(key);
  const moves =
    known ??
    scope.walker.frameMoves({ ...scope, machine: child.machine, around: child.around }, child, {
      memory: child.memory,
      proved: now.proved,
      steps: [],
    });
  if (known === undefined) scope.world.childMoves.set(key, moves);
  return moves.flatMap((result) => settleChild(scope, { token, state }, { result, memory: now.memory }));
}

function settleChild(
  scope: Scope,
  { token, state }: Omit<Child, "child">,
  { result, memory }: { readonly result: FrameResult; readonly memory: Memory },
): readonly WalkResult[] {
  const now = { ...result.now, memory };
  const { frame } = result;
  if ("ended" in frame) return judgeChild(scope, { token, state, outcome: frame.ended }, now);
  const goesOn: WalkResult = { now, moved: { type: "stays", token: { ...token, child: frame } } };
  const asks = spotsOf(frame.token).some((spot) => spot.state.kind === "ask" && spot.state.to === "parent");
  // After an ask, the parent goes elsewhere, or answers and the child continues.
  return asks ? [goesOn, ...judgeChild(scope, { token, state, outcome: askedOutcome }, now)] : [goesOn];
}

function judgeChild(
  scope: Scope,
  { token, state, outcome }: Omit<Child, "child"> & { readonly outcome: string },
  now: WalkState,
): readonly WalkResult[] {
  const route = routeIn(state.first, outcome);
  if (route !== undefined) return follow(scope, { token, route, outcome }, now);
  const isGood = outcome !== askedOutcome && !["failed", "halted"].includes(wordOf(outcome));
  const finished =
    state.keep && isGood ? { ...now.memory.finished, [token.spot.id]: outcome } : now.memory.finished;
  return answer(scope, { token, outcome }, { ...now, memory: { ...now.memory, finished } });
}
