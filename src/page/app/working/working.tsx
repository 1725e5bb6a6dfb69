/** The agents that work now: what each says and does, as it comes. */
import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { RunModel } from "../../../views/model/run-model.ts";
import type { SaidModel } from "../../../views/model/said-model.ts";
import type { DispatchModel } from "../../../views/model/step-model.ts";
import { Section } from "../../parts/section.tsx";
import { clockText, countText, nameText } from "../../parts/words.ts";
import { said, watchSaid } from "./said.ts";

/** So many steps are open when the page is. */
const firstOpen = 2;
const maxSteps = 100;

export function Working({ model }: { readonly model: Pick<RunModel, "dispatches" | "state"> }) {
  const atWork = model.dispatches.filter(({ state, output }) => state === "open" && output === null);
  if (atWork.length === 0 || model.state.endedAt !== null) return null;
  const isDriven = model.state.owner !== null;
  return (
    <Section
      id="working"
      title={isDriven ? "At work now" : "Was at work"}
      lead={
        isDriven
          ? "What agents say and do, as it comes. Nothing of it is proved; when a step ends, its output is recorded."
          : "What agents said and did until the run was stopped. The step begins again when the run goes on."
      }
    >
      {atWork.slice(0, maxSteps).map((step, index) => (
        <Step
          key={`${step.key} ${step.startedAt}`}
          step={step}
          startsOpen={index < firstOpen}
          isDriven={isDriven}
        />
      ))}
      {atWork.length > maxSteps ? (
        <p class="rest">{countText(atWork.length - maxSteps, "more agent")} at work.</p>
      ) : null}
    </Section>
  );
}

interface StepProps {
  readonly step: DispatchModel;
  readonly startsOpen: boolean;
  readonly isDriven: boolean;
}

function Step({ step: { key, role, agent, node, startedAt }, startsOpen, isDriven }: StepProps) {
  const isOpen = useSignal(startsOpen);
  useEffect(() => {
    watchSaid(key, isOpen.value);
    return () => watchSaid(key, false);
  }, [isOpen.value]);
  const entries = said.value.get(key) ?? [];
  return (
    <details
      open={isOpen.value}
      onToggle={({ currentTarget }) => (isOpen.value = currentTarget.open)}
      data-working={key}
    >
      <summary>
        <strong>{nameText(role)}</strong>
        {isDriven ? (
          <span class="mark busy">
            <span class="symbol pulse" aria-hidden="true">
              ●
            </span>
            {agent}
          </span>
        ) : (
          <span>{agent}</span>
        )}
        {node === null ? null : <span class="place">{node}</span>}
        <span class="aside">since {clockText(startedAt)} UTC</span>
      </summary>
      {isOpen.value ? <Log entries={entries} name={`${role} ${key}`} isDriven={isDriven} /> : null}
    </details>
  );
}

/** Follows the end, unless somebody has scrolled up. */
function Log({
  entries,
  name,
  isDriven,
}: {
  readonly entries: readonly SaidModel[];
  readonly name: string;
  readonly isDriven: boolean;
}) {
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    if (box.current !== null && isAtEnd.current) box.current.scrollTop = box.current.scrollHeight;
  }, [entries]);
  if (entries.length === 0)
    return <p class="none">{isDriven ? "Nothing was said yet." : "Nothing is known of it."}</p>;
  const [first] = entries;
  return (
    <div
      ref={box}
      class="said-log"
      role="group"
      tabIndex={0}
      aria-label={`What ${name} says and does`}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) =>
        (isAtEnd.current = scrollHeight - scrollTop - clientHeight < 40)
      }
    >
      {first !== undefined && first.n > 1 && first.left === undefined ? (
        <p class="left">Earlier output is not shown.</p>
      ) : null}
      {entries.map((entry) => (
        <Entry key={entry.n} entry={entry} />
      ))}
    </div>
  );
}

const verbs: Readonly<Record<SaidModel["kind"], string>> = {
  says: "",
  prints: "",
  uses: "uses",
  denied: "is denied",
  retries: "asks its model again",
  reports: "reports",
};

function Entry({ entry: { kind, text, left } }: { readonly entry: SaidModel }) {
  const verb = verbs[kind];
  const space = text.search(/\s/u);
  const name = verb === "" || space === -1 ? text : text.slice(0, space);
  return (
    <>
      {left === undefined ? null : (
        <p class="left">{left.toLocaleString("en")} characters before this are not shown.</p>
      )}
      {verb === "" ? (
        <p class={kind}>{kind === "says" ? text.trimEnd() : text}</p>
      ) : (
        <p class={`does ${kind}`}>
          <span class="verb">{verb}</span> <strong>{name}</strong>{" "}
          {space === -1 ? null : text.slice(space + 1)}
        </p>
      )}
    </>
  );
}
