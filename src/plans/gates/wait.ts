/** Asks a person by a gate's file and waits for the answer, at most as long as the caller may. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import type { Payloads } from "../../journal/payloads.ts";
import { exists } from "../../lib/files.ts";
import { withLock } from "../lock.ts";
import { gateFile, setLateAnswerAside, writeError, type Opening } from "./gate-files.ts";
import type { Answer, Gate } from "./gate.ts";
import { refuseObsolete } from "./obsolete.ts";
import { writeGateFile } from "./write-gate.ts";
import { readAnswer, type ReadResult } from "./read-answer.ts";
import { readAnswers, lastAnswerFor, saveAnswer } from "./answers.ts";
import { settleAnswer, takeSavedAnswer } from "./settle.ts";

/** What a call that may ask a person is given. */
export interface GateOptions {
  readonly waitMs: number;
  /** Asks also where an answer is recorded, once a call has returned it. */
  readonly again: boolean;
  /** Of logs in an answer. */
  readonly logTokens: number;
  readonly clock: Clock;
  readonly payloads: Payloads;
  /** Told while it waits, for stderr. */
  readonly warn: (line: string) => void;
  /** Tells a person that a gate was opened. */
  readonly notify: (gate: { readonly name: string; readonly file: string }) => Promise<void>;
}

type GateRef = Pick<Gate, "plan" | "name">;

const pollMs = 200;
/** A file that was saved less than this ago may still be half saved, unless it was the same the time before. */
const stableMs = 300;
const brokenMs = 1_000;

export async function waitAtGate<Fields extends object>(
  gate: Gate<Fields>,
  asking: GateOptions,
): Promise<{ readonly answer: Answer; readonly duration_ms: number }> {
  const { clock, waitMs } = asking;
  const began = clock.now();
  const found = async (answer: Answer) => {
    await markReturned(gate, answer);
    return { answer, duration_ms: clock.now() - began };
  };
  const start = await startWaiting(gate, asking);
  if (start.type === "recorded") return await found(start.answer);
  let { opening } = start;
  let told: string | null = null;
  const seen = { text: "", since: began };
  for (;;) {
    const reading = await readAnswer(gate, opening.shown);
    if (reading.type === "absent") {
      // Whoever settles removes the file before it lets the lock go.
      const next = await withGatesLock(gate, async () => {
        const newer = (await settleInterrupted(gate)).slice(start.known).at(-1);
        if (newer !== undefined) return { newer };
        await refuseObsolete(gate.plan, gate.name);
        return { opening: await writeGateFile(gate, clock) };
      });
      if ("newer" in next) return await found(next.newer);
      ({ opening } = next);
    } else {
      const now = clock.now();
      if (seen.text !== reading.text) Object.assign(seen, { text: reading.text, since: now });
      const isCalm = now - seen.since >= stableMs || (await wasSavedBefore(gate, now - stableMs));
      if (reading.type === "answered" && isCalm) {
        const answer = await settleSaved(gate, { reading, opening, known: start.known, asking });
        if (answer !== null) return await found(answer);
      }
      const why = refusalReason(reading, isCalm, now - seen.since >= brokenMs);
      if (why !== null && why !== told) {
        await writeError(gate.plan, gate.name, why);
        asking.warn(`${gateFile(gate.plan, gate.name)}: ${why}`);
      } else if (why === null && told !== null && reading.type === "waiting")
        await writeError(gate.plan, gate.name, null);
      if (why !== null || reading.type === "waiting") told = why;
    }
    const left = began + waitMs - clock.now();
    if (left <= 0) throw waitingError(gate, told);
    await clock.sleep(Math.min(pollMs, left));
  }
}

/** Everything that opens, answers or settles a gate of a plan does so one at a time. */
export async function withGatesLock<T>({ plan }: Pick<GateRef, "plan">, work: () => Promise<T>): Promise<T> {
  return withLock(join(plan.dir, ".gates.lock"), work);
}

async function markReturned(gate: GateRef, { id }: Answer): Promise<void> {
  await withGatesLock(gate, async () => {
    const answer = (await readAnswers(gate.plan, gate.name)).find((one) => one.id === id);
    if (answer?.returned === false) await saveAnswer(gate.plan, { ...answer, returned: true });
  });
}

/** What was recorded and did not take effect, since its process was killed. */
export async function settleInterrupted<Fields extends object>(
  gate: Gate<Fields>,
): Promise<readonly Answer[]> {
  const answers = await readAnswers(gate.plan, gate.name);
  const last = answers.at(-1);
  if (last === undefined || last.settled) return answers;
  return [...answers.slice(0, -1), await settleAnswer(gate, last)];
}

async function startWaiting<Fields extends object>(
  gate: Gate<Fields>,
  { again, clock, notify, warn }: GateOptions,
): Promise<
  | { readonly type: "recorded"; readonly answer: Answer }
  | { readonly type: "open"; readonly opening: Opening; readonly known: number }
> {
  const file = gateFile(gate.plan, gate.name);
  const begun = await withGatesLock(gate, async () => {
    const answers = await settleInterrupted(gate);
    const late = await setLateAnswerAside(gate.plan, gate.name);
    if (late !== null) warn(`${file} was saved when nothing was asked; it is now ${late}`);
    const isOpen = await exists(file);
    const last = isOpen ? null : lastAnswerFor(answers, gate.shown.key);
    // Asked anew only where the caller knows the last answer: it may have been given when nobody waited.
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

/** The first answer counts, also where another call has taken it; null where the file is another one by now. */
async function settleSaved<Fields extends object>(
  gate: Gate<Fields>,
  {
    reading,
    opening,
    known,
    asking,
  }: {
    readonly reading: ReadResult<Fields> & { readonly type: "answered" };
    readonly opening: Opening;
    readonly known: number;
    readonly asking: GateOptions;
  },
): Promise<Answer | null> {
  return withGatesLock(gate, async () => {
    const newer = (await settleInterrupted(gate)).slice(known).at(-1);
    if (newer !== undefined) return newer;
    const { clock, payloads } = asking;
    return takeSavedAnswer(gate, { opening, clock, payloads, text: reading.text });
  });
}

function refusalReason(reading: ReadResult<object>, isCalm: boolean, isOldBroken: boolean): string | null {
  if (reading.type === "wrong" && isCalm) return reading.why;
  return reading.type === "broken" && isOldBroken ? reading.why : null;
}

async function wasSavedBefore({ plan, name }: GateRef, time: number): Promise<boolean> {
  const found = await stat(gateFile(plan, name)).catch(() => null); // answered meanwhile
  return found !== null && found.mtimeMs <= time;
}

function waitingError({ plan, name }: GateRef, why: string | null): AppError {
  const file = gateFile(plan, name);
  const wrong = why === null ? "" : `; what was saved is no answer: ${why}`;
  return new AppError("waiting_for_person", `no person has answered ${name} yet${wrong}`, {
    hint: "call the same command again, and allow it 600 seconds; do not answer in the person's place",
    retry: "safe",
    detail: { gate: name, file, ...(why !== null && { refused: why }) },
  });
}
