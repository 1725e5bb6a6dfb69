/** Ends a run, or a node of a graph with all below it, after the person has seen what that means. */
import { useSignal } from "@preact/signals";
import { endingWith } from "../../views/model/ending.ts";
import type { NodeModel } from "../../views/model/run-model.ts";
import { countText } from "../parts/words.ts";
import type { RunPlace } from "./api.ts";
import { Field } from "./ask-form.tsx";
import { DecideButton, decideFor, DecisionForm, Refused, useSending } from "./decide.tsx";
import { Dialog } from "./dialog.tsx";
import type { Decision, RunNow } from "./wire.ts";

export interface EndProps {
  readonly model: RunNow["model"];
  readonly state: string;
  readonly at: RunPlace;
}

export function End({ model: { nodes, run }, state, at }: EndProps) {
  const sending = useSending();
  const reason = useSignal("");
  const chosen = useSignal("");
  const isAsking = useSignal(false);
  const open = nodes.filter(({ parent, shown }) => parent !== null && shown !== null);
  const node = open.find(({ id }) => id === chosen.value) ?? null;
  // A node may end while a person thinks; that never turns into the end of the run.
  const hasEnded = chosen.value !== "" && node === null;
  const what = chosen.value === "" ? "the run" : chosen.value;
  const ask = (isOpen: boolean): void => {
    sending.error.value = null;
    isAsking.value = isOpen;
  };
  const end = async (): Promise<void> => {
    const decision: Decision =
      node === null
        ? { type: "abort", state, reason: reason.value }
        : { type: "abort-node", node: node.id, shown: node.shown ?? "", reason: reason.value };
    if (!(await decideFor(at, sending)(decision, `${what} is ended`))) return;
    ask(false);
    chosen.value = "";
  };
  return (
    <details class="abort">
      <summary>{open.length === 0 ? "End the run" : "End the run or a node"}</summary>
      <div class="folded">
        <DecisionForm name="abort">
          {open.length === 0 ? null : (
            <label class="field">
              <span>What to end</span>
              <select
                name="end"
                value={chosen.value}
                onChange={({ currentTarget }) => (chosen.value = currentTarget.value)}
              >
                <option value="">the whole run</option>
                {hasEnded ? <option value={chosen.value}>{chosen.value} (has ended)</option> : null}
                {open.map(({ id, words }) => (
                  <option key={id} value={id}>
                    {id} ({words})
                  </option>
                ))}
              </select>
            </label>
          )}
          <Field label="Why" value={reason} lines={2} />
          <p class="buttons">
            <button type="button" class="no" disabled={hasEnded} onClick={() => ask(true)}>
              End {what} …
            </button>
          </p>
        </DecisionForm>
      </div>
      {isAsking.value ? (
        <Dialog
          title={`End ${chosen.value === "" ? `run ${run}` : chosen.value}?`}
          onClose={() => ask(false)}
        >
          <DecisionForm name="end">
            {hasEnded ? <p>It has ended meanwhile.</p> : null}
            {chosen.value === "" ? <RunEnds nodes={open.length} /> : null}
            {node === null ? null : <NodeEnds nodes={nodes} node={node} />}
            <p class="buttons">
              <button type="button" onClick={() => ask(false)}>
                Let it go on
              </button>
              <DecideButton kind="no" sending={sending} isOff={hasEnded} onDecide={() => void end()}>
                End {what}
              </DecideButton>
            </p>
            <Refused error={sending.error.value} />
          </DecisionForm>
        </Dialog>
      ) : null}
    </details>
  );
}

function RunEnds({ nodes }: { readonly nodes: number }) {
  return (
    <p>
      Its agents stop{nodes === 0 ? "" : `, and ${countText(nodes, "node")} below the root end with it`}. What
      they did is kept under <code>refs/mettle/rescue</code>. The run cannot go on afterwards.
    </p>
  );
}

interface NodeEndsProps {
  readonly nodes: readonly NodeModel[];
  readonly node: NodeModel;
}

function NodeEnds({ nodes, node }: NodeEndsProps) {
  const below = endingWith(nodes, node.id).filter(({ id }) => id !== node.id);
  return (
    <>
      <p>
        Its agents stop; what they did is kept under <code>refs/mettle/rescue</code>.{" "}
        <code>{node.parent}</code> is told that it failed, and decides how to continue. The other nodes go on.
      </p>
      {below.length === 0 ? null : (
        <>
          <p>{below.length === 1 ? "This node ends" : "These nodes end"} with it:</p>
          <ul>
            {below.map(({ id, words }) => (
              <li key={id}>
                <code>{id}</code> <span class="aside">{words}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
