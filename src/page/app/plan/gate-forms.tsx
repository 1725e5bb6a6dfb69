/** The open gates of Envoy plans of a repository, each as a form made from its schema. */
import { useSignal, type Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { fetchGates, sendGateAnswer } from "../api.ts";
import { DecideButton, DecisionForm, Refused, useSending } from "../decide.tsx";
import { repositories } from "../state.ts";
import type { FormField, GateForm } from "../wire.ts";

export function GateForms({ repository }: { readonly repository: string }) {
  const { gates, read } = useGates(repository);
  return (
    <>
      {gates.value?.map((gate) => (
        <Gate
          key={`${gate.branch}/${gate.gate} ${gate.hash}`}
          gate={gate}
          repository={repository}
          onDone={read}
        />
      ))}
    </>
  );
}

export interface OpenGates {
  /** Null until they are read. */
  readonly gates: Signal<readonly GateForm[] | null>;
  readonly read: () => Promise<void>;
}

/** The open gates of a repository, read again whenever their files change. */
export function useGates(repository: string): OpenGates {
  const gates = useSignal<readonly GateForm[] | null>(null);
  const stamp = repositories.value.get(repository)?.gates;
  const read = async (): Promise<void> => {
    const asked = await fetchGates(repository);
    if (asked.type === "ok") gates.value = asked.value.gates;
  };
  useEffect(() => void read(), [stamp]);
  return { gates, read };
}

interface GateProps {
  readonly gate: GateForm;
  readonly repository: string;
  /** Called after each attempt to answer. */
  readonly onDone: (isAnswered: boolean) => Promise<void>;
}

export function Gate({ gate, repository, onDone }: GateProps) {
  const { branch, gate: name, title, question, fields, hash, refused } = gate;
  const sending = useSending();
  const values = useSignal<Readonly<Record<string, string>>>({});
  const send = async (): Promise<void> => {
    const sets = Object.entries(values.value);
    const answer = { branch, gate: name, hash, sets };
    await onDone(await sending.send(() => sendGateAnswer(repository, answer), "answered"));
  };
  return (
    <article class="ask" data-gate-form={name} aria-label={`${title} of ${branch}`}>
      <h3>
        {title} <span class="place">{branch}</span>
      </h3>
      <pre class="shown" tabIndex={0} role="region" aria-label="What is asked">
        {question.join("\n")}
      </pre>
      {refused === null ? null : <p class="refusal">The saved answer was refused: {refused}</p>}
      <DecisionForm name={name}>
        {fields.map((field) => (
          <GateField
            key={field.name}
            field={field}
            value={values.value[field.name] ?? field.value}
            onValue={(value) => (values.value = { ...values.value, [field.name]: value })}
          />
        ))}
        <p class="buttons">
          <DecideButton kind="yes" sending={sending} onDecide={() => void send()}>
            Answer
          </DecideButton>
        </p>
        <Refused error={sending.error.value} />
      </DecisionForm>
    </article>
  );
}

interface GateFieldProps {
  readonly field: FormField;
  readonly value: string | null;
  readonly onValue: (value: string) => void;
}

function GateField({ field: { name, type, choices }, value, onValue }: GateFieldProps) {
  const label = name.replaceAll("_", " ").replaceAll(".", " · ");
  if (type === "text")
    return (
      <label class="field">
        <span>{label}</span>
        <textarea
          rows={2}
          name={name}
          value={value ?? ""}
          onInput={({ currentTarget }) => onValue(currentTarget.value)}
        />
      </label>
    );
  const options = type === "choice" ? choices : ["true", "false"];
  return (
    <label class="field">
      <span>{label}</span>
      <select name={name} value={value ?? ""} onChange={({ currentTarget }) => onValue(currentTarget.value)}>
        {value === null ? <option value="">choose</option> : null}
        {options.map((option) => (
          <option key={option} value={option}>
            {type === "choice" ? option : option === "true" ? "yes" : "no"}
          </option>
        ))}
      </select>
    </label>
  );
}
