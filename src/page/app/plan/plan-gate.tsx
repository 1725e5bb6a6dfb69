/** The gate of an Envoy plan that a run waits for, answered where the run is shown. */
import type { RunPlace } from "../api.ts";
import { DecideButton, decideFor, DecisionForm, Refused, useSending } from "../decide.tsx";
import { Gate, useGates } from "./gate-forms.tsx";
import { shownRun } from "../state.ts";
import type { RunNow } from "../wire.ts";

interface PlanGateProps extends Pick<RunNow, "state" | "model"> {
  readonly at: RunPlace;
}

export function PlanGate({ at, state, model }: PlanGateProps) {
  const { gates, read } = useGates(at.repository);
  const sending = useSending();
  const open = model.planGates.findLast((gate) => gate.open);
  const form = gates.value?.find(({ gate, branch }) => gate === open?.gate && branch === model.asked.plan);
  const goOn = () =>
    decideFor(at, sending)(
      { type: "resume", state: shownRun.peek()?.state ?? state, text: "" },
      "the run goes on",
    );
  if (gates.value === null) return <p class="none">Loading.</p>;
  if (form !== undefined)
    return (
      <Gate
        key={form.hash}
        gate={form}
        repository={at.repository}
        onDone={async (isAnswered) => {
          await read();
          if (isAnswered) await goOn();
        }}
      />
    );
  return (
    <DecisionForm name="answered">
      <p>This gate is answered.</p>
      <p class="buttons">
        <DecideButton kind="yes" sending={sending} onDecide={() => void goOn()}>
          Go on
        </DecideButton>
      </p>
      <Refused error={sending.error.value} />
    </DecisionForm>
  );
}
