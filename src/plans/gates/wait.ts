/** Opens a gate and waits for the answer of a person, at most `waitMs`. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import type { Payloads } from "../../journal/payloads.ts";
import { exists } from "../../lib/files.ts";
import { withLock } from "../lock.ts";
import { gateFile, setLateAnswerAside, writeError, type Opening } from "./gate-files.ts";
import type { PlanGateAnswer, PlanGate } from "./gate.ts";
import { refuseObsolete } from "./obsolete.ts";
import { writeGateFile } from "./write-gate.ts";
import { readAnswer, type ReadResult } from "./read-answer.ts";
import { readAnswers, lastAnswerFor, saveAnswer } from "./answers.ts";
import { settleAnswer, takeSavedAnswer } from "./settle.ts";

/** Options of a call that may wait for a person. */
export interface GateOptions {
  readonly waitMs: number;
  /** Ask even if an answer is recorded, provided that a call has returned it. */
  readonly again: boolean;
  /** Maximum of returned logs, in tokens. */
  readonly logTokens: number;
  readonly clock: Clock;
  readonly payloads: Payloads;
  /** Prints a warning during the wait, to stderr. */
  readonly warn: (line: string) => void;
  /** Notifies a person of a new gate. */
  readonly notify: (gate: { readonly name: string; readonly file: string }) => Promise<void>;
}

type GateRef = Pick<PlanGate, "plan" | "name">;

const pollMs = 200;
/** A file that changed less than this ago may be half saved. */
const stableMs = 300;
const brokenMs = 1_000;

export async function waitAtGate<Fields extends object>(
  gate: PlanGate<Fields>,
  options: GateOptions,
): Promise<{ readonly answer: PlanGateAnswer; readonly duration_ms: number }> {
  const { clock, waitMs } = options;
  const began = clock.now();
  const found = async (answer: PlanGateAnswer) => {
    await markReturned(gate, answer);
    return { answer, duration_ms: clock.now() - began };
  };
  const begin = await openOrRecall(gate, options);
  if (begin.type === "recorded") return await found(begin.answer);
  let { opening } = begin;
  let reported: string | null = null;
  const seen = { text: "", since: began };
  for (;;) {
    const reading = await readAnswer(gate, opening.shown);
    if (reading.type === "absent") {
      // The file is gone: another call has settled it, or it was deleted.
      const next = await withGatesLock(gate, async () => {
        const newer = (await settleInterrupted(gate)).slice(begin.known).at(-1);
        if (newer !== undefined) return { newer };
        await refuseObsolete(gate.plan, gate.name);
        return { opening: await writeGateFile(gate, clock) };
      });
      if ("newer" in next) return await found(next.newer);
      ({ opening } = next);
    } else {
      const now = clock.now();
      if (seen.text !== reading.text) Object.assign(seen, { text: reading.text, since: now });
      const isStable = now - seen.since >= stableMs || (await wasSavedBefore(gate, now - stableMs));
      if (reading.type === "answered" && isStable) {
        const answer = await settleSaved(gate, { reading, opening, known: begin.known, options });
        if (answer !== null) return await found(answer);
      }
      const why = refusalReason(reading, isStable, now - seen.since >= brokenMs);
      if (why !== null && why !== reported) {
        await writeError(gate.plan, gate.name, why);
        options.warn(`${gateFile(gate.plan, gate.name)}: ${why}`);
      } else if (why === null && reported !== null && reading.type === "waiting")
        await writeError(gate.plan, gate.name, null);
      if (why !== null || reading.type === "waiting") reported = why;
    }
    const left = began + waitMs - clock.now();
    if (left <= 0) throw waitingError(gate, reported);
    await clock.sleep(Math.min(pollMs, left));
  }
}

/** Serializes all work that opens, answers or settles gates of a plan. */
export async function withGatesLock<T>({ plan }: Pick<GateRef, "plan">, work: () => Promise<T>): Promise<T> {
  return withLock(join(plan.dir, ".gates.lock"), work);
}

async function markReturned(gate: GateRef, { id }: PlanGateAnswer): Promise<void> {
  await withGatesLock(gate, async () => {
    const answer = (await readAnswers(gate.plan, gate.name)).find((one) => one.id === id);
    if (answer?.returned === false) await saveAnswer(gate.plan, { ...answer, returned: true });
  });
}

/** Settles an answer that was recorded by a process that was then killed. */
export async function settleInterrupted<Fields extends object>(
  gate: PlanGate<Fields>,
): Promise<readonly PlanGateAnswer[]> {
  const answers = await readAnswers(gate.plan, gate.name);
  const last = answers.at(-1);
  if (last === undefined || last.settled) return answers;
  return [...answers.slice(0, -1), await settleAnswer(gate, last)];
}

async function openOrRecall<Fields extends object>(
  gate: PlanGate<Fields>,
  { again, clock, notify, warn }: GateOptions,
): Promise<
  | { readonly type: "recorded"; readonly answer: PlanGateAnswer }
  | { readonly type: "open"; readonly opening: Opening; readonly known: number }
> {
  const file = gateFile(gate.plan, gate.name);
  const begun = await withGatesLock(gate, async () => {
    const answers = await settleInterrupted(gate);
    const late = await setLateAnswerAside(gate.plan, gate.name);
    if (late !== null) warn(`${file} was saved when the gate was not open; it is now ${late}`);
    const isOpen = await exists(file);
    const last = isOpen ? null : lastAnswerFor(answers, gate.shown.key);
    // `--again` ignores the last answer only if a call has returned it: it may have been given while no call waited.
    const answer = again && last?.returned !== false ? null : last;
    if (answer !== null) return { type: "recorded", answer } as const;
    return {
      type: "open",
      opening: await writeGateFile(gate, clock),
      known: answers.length,
      isNew: !isOpen,
    } as const;
  });
  if (begun.type === "open" && begun.isNew) await notify({ name: gate.name, file });
  return begun;
}

/** Takes the saved answer, or returns the one that another call took first; null if the file has changed. */
async function settleSaved<Fields extends object>(
  gate: PlanGate<Fields>,
  {
    reading,
    opening,
    known,
    options,
  }: {
    readonly reading: ReadResult<Fields> & { readonly type: "answered" };
    readonly opening: Opening;
    readonly known: number;
    readonly options: GateOptions;
  },
): Promise<PlanGateAnswer | null> {
  return withGatesLock(gate, async () => {
    const newer = (await settleInterrupted(gate)).slice(known).at(-1);
    if (newer !== undefined) return newer;
    const { clock, payloads } = options;
    return takeSavedAnswer(gate, { opening, clock, payloads, text: reading.text });
  });
}

function refusalReason(reading: ReadResult<object>, isStable: boolean, isOldBroken: boolean): string | null {
  if (reading.type === "wrong" && isStable) return reading.why;
  return reading.type === "broken" && isOldBroken ? reading.why : null;
}

async function wasSavedBefore({ plan, name }: GateRef, time: number): Promise<boolean> {
  const found = await stat(gateFile(plan, name)).catch(() => null); // gone: answered meanwhile
  return found !== null && found.mtimeMs <= time;
}

function waitingError({ plan, name }: GateRef, why: string | null): AppError {
  const file = gateFile(plan, name);
  const wrong = why === null ? "" : `; the saved answer is invalid: ${why}`;
  return new AppError("waiting_for_person", `no person has answered ${name} yet${wrong}`, {
    hint: "call the same command again with a timeout of 600 seconds; do not answer for the person",
    retry: "safe",
    detail: { gate: name, file, ...(why !== null && { refused: why }) },
  });
}
