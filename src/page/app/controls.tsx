/** What a person does to the whole run: stop it for now, let it go on, end it. */
import { useSignal } from "@preact/signals";
import type { RunPlace } from "./api.ts";
import { Field } from "./ask-form.tsx";
import { DecideButton, decideFor, DecisionForm, Refused, useSending } from "./decide.tsx";
import { End } from "./end.tsx";
import type { RunNow } from "./wire.ts";

export function Controls({ now: { model, state }, at }: { readonly now: RunNow; readonly at: RunPlace }) {
  const sending = useSending();
  const text = useSignal("");
  const decide = decideFor(at, sending);
  const { status, owner } = model.state;
  if (["complete", "halted", "failed"].includes(status)) return null;
  return (
    <section class="controls" aria-label="Stop, go on or end">
      {owner === null && status !== "stopped" ? null : (
        <DecisionForm name="controls">
          {status === "stopped" ? (
            <Field label="What the agents that work next should know, if anything" value={text} lines={2} />
          ) : null}
          <p class="buttons">
            {owner === null ? null : (
              <DecideButton
                sending={sending}
                onDecide={() => void decide({ type: "pause", state }, "the run stops")}
              >
                Pause
              </DecideButton>
            )}
            {status === "stopped" ? (
              <DecideButton
                kind="yes"
                sending={sending}
                onDecide={() => void decide({ type: "resume", state, text: text.value }, "the run goes on")}
              >
                {text.value.trim() === "" ? "Go on" : "Go on, and tell the agents this"}
              </DecideButton>
            ) : null}
          </p>
        </DecisionForm>
      )}
      <End model={model} state={state} at={at} />
      <Refused error={sending.error.value} />
    </section>
  );
}
