/** What all forms of decisions share: sending, waiting, and the reason if it was refused. */
import { useSignal, type Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { sendDecision, type Asked, type RunPlace } from "./api.ts";
import { connection, missedRefusal, news } from "./state.ts";
import type { Decision, WireError } from "./wire.ts";

export interface Sending {
  readonly busy: Signal<boolean>;
  readonly error: Signal<WireError | null>;
  /** @param done said when it was accepted @returns whether it was */
  send(work: () => Promise<Asked<unknown>>, done: string): Promise<boolean>;
}

/** A form that goes away sooner takes its refusal from under the reader's eyes. */
const readMs = 10_000;

export function useSending(): Sending {
  const busy = useSignal(false);
  const error = useSignal<WireError | null>(null);
  const shown = useRef({ isShown: true, refusedAt: 0 });
  useEffect(
    () => () => {
      shown.current.isShown = false;
      const isNew = performance.now() - shown.current.refusedAt < readMs;
      if (error.peek() !== null && isNew) missedRefusal.value = error.peek();
    },
    [],
  );
  return {
    busy,
    error,
    async send(work, done) {
      if (busy.value) return false;
      busy.value = true;
      error.value = null;
      const asked = await work();
      busy.value = false;
      if (asked.type === "failed") {
        error.value = asked.error;
        if (asked.error.code === "program_replaced") connection.value = "replaced";
        shown.current.refusedAt = performance.now();
        if (!shown.current.isShown) missedRefusal.value = asked.error;
      } else missedRefusal.value = null;
      news.value = asked.type === "ok" ? done : `refused: ${asked.error.message}`;
      return asked.type === "ok";
    },
  };
}

export function decideFor(at: RunPlace, { send }: Sending) {
  return (decision: Decision, done: string): Promise<boolean> => send(() => sendDecision(at, decision), done);
}

export function Refused({ error }: { readonly error: WireError | null }) {
  if (error === null) return null;
  return (
    <p class="refusal" role="alert" data-refused={error.code}>
      <strong>{error.message}.</strong> {error.hint}
    </p>
  );
}

export interface DecideButtonProps {
  /** `yes` for what is mostly wanted, `no` for what ends or sends back. */
  readonly kind?: "yes" | "no" | "";
  readonly sending: Sending;
  /** Something is missing for this decision. */
  readonly isOff?: boolean;
  readonly onDecide: () => void;
  readonly children: ComponentChildren;
}

/** Stays where the focus is while its decision is sent: a browser takes the focus from a button that is switched off. */
export function DecideButton({ kind = "", sending, isOff = false, onDecide, children }: DecideButtonProps) {
  return (
    <button type="button" class={kind} disabled={isOff} aria-disabled={sending.busy.value} onClick={onDecide}>
      {children}
    </button>
  );
}

/** A form that is sent by its button only: Enter in a field never decides. */
export function DecisionForm({
  name,
  children,
}: {
  readonly name: string;
  readonly children: ComponentChildren;
}) {
  return (
    <form data-form={name} class="decision" onSubmit={(event) => event.preventDefault()}>
      {children}
    </form>
  );
}
