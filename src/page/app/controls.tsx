/** What a person does to the whole run: stop it for now, let it go on, end it. */
import { useSignal } from "@preact/signals";
import type { RunPlace } from "./api.ts";
import { Field } from "./ask-form.tsx";
import { decideFor, DecisionForm, Refused, useSending } from "./decide.tsx";
import type { RunNow } from "./wire.ts";

export function Controls({ now: { model, state }, at }: { readonly now: RunNow; readonly at: RunPlace }) {
  const sending = useSending();
  const decide = decideFor(at, sending);
  const { status, owner } = model.state;
  if (["complete", "halted", "failed"].includes(status)) return null;
  return (
    <section class="controls" aria-label="Stop, go on or end">
      {owner === null && status !== "stopped" ? null : (
        <DecisionForm name="controls">
          <p class="buttons">
            {owner === null ? null : (
              <button
                type="button"
                disabled={sending.busy.value}
                onClick={() => void decide({ type: "pause", state }, "the run stops")}
              >
                Pause
              </button>
            )}
            {status === "stopped" ? (
              <button
                type="button"
                class="yes"
                disabled={sending.busy.value}
                onClick={() => void decide({ type: "resume", state }, "the run goes on")}
              >
                Go on
              </button>
            ) : null}
          </p>
        </DecisionForm>
      )}
      <Abort model={model} state={state} at={at} />
      <Refused error={sending.error.value} />
    </section>
  );
}

interface AbortProps {
  readonly model: RunNow["model"];
  readonly state: string;
  readonly at: RunPlace;
}

function Abort({ model: { nodes }, state, at }: AbortProps) {
  const sending = useSending();
  const reason = useSignal("");
  const node = useSignal("");
  const open = nodes.filter(({ parent, mark }) => parent !== null && mark !== "done" && mark !== "failed");
  const what = node.value === "" ? "the run" : node.value;
  return (
    <details class="abort">
      <summary>End the run</summary>
      <div class="folded">
        <DecisionForm name="abort">
          {open.length === 0 ? null : (
            <label class="field">
              <span>What to end</span>
              <select value={node.value} onChange={({ currentTarget }) => (node.value = currentTarget.value)}>
                <option value="">the whole run</option>
                {open.map(({ id }) => (
                  <option key={id} value={id}>
                    node {id}, and everything below it
                  </option>
                ))}
              </select>
            </label>
          )}
          <Field label="Why" value={reason} lines={2} />
          <p class="buttons">
            <button
              type="button"
              class="no"
              disabled={sending.busy.value}
              onClick={() =>
                void decideFor(at, sending)(
                  { type: "abort", state, node: node.value === "" ? null : node.value, reason: reason.value },
                  `${what} is ended`,
                )
              }
            >
              End {what}, keep its work
            </button>
          </p>
          <Refused error={sending.error.value} />
        </DecisionForm>
      </div>
    </details>
  );
}
