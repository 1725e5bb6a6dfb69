/** The head of a run: what was asked, how it ended, and its figures. */
import type { RunModel } from "../../views/model/run-model.ts";
import { Mark } from "./mark.tsx";
import { askText, betweenMs, costText, countText, dateText, durationText, tokensText } from "./words.ts";

export function RunHeader({ model }: { readonly model: RunModel }) {
  const { asked, run, state } = model;
  return (
    <header class="run">
      <p class="over">
        <span class="brand">mettle</span>
        <span>{asked.protocol}</span>
        <span>run {run}</span>
        {asked.demo ? <span>demo</span> : null}
      </p>
      <h1>{asked.task === "" ? `Run ${run}` : asked.task}</h1>
      <p class="verdict" data-status={state.status} data-proved={String(state.proved)}>
        <Mark of={state.status} />
        <span>{endText(model)}</span>
      </p>
      <Loops model={model} />
      <Figures model={model} />
    </header>
  );
}

/** Where a run of loops is, and what its current symbol means. */
function Loops({ model: { state, phases } }: { readonly model: RunModel }) {
  const lines = [state.stateLine, state.loopLine].filter((line) => line !== null);
  if (lines.length === 0) return null;
  return (
    <p class="loops">
      {lines.map((line) => (
        <span key={line} class="name">
          {line}
        </span>
      ))}
      <span class="aside">{phases.at(-1)?.words}</span>
    </p>
  );
}

/** How the run ended or what it waits for, in one sentence. */
export function endText({ state, asks, records, gates }: RunModel): string {
  const last = records.findLast(({ verdict, exit }) => verdict === "pass" && exit === "0");
  switch (state.status) {
    case "complete":
      return state.proved
        ? `The result is proved by what was executed${last === undefined ? "" : `, last by record ${last.id}`}.`
        : (planText(gates) ?? "The run is complete. No record proves its result.");
    case "halted":
    case "failed":
      return `Not done: ${state.reason === null || state.reason === "" ? "the run ended early" : state.reason}`;
    case "waiting":
    case "blocked":
      return asks.length === 1
        ? `Waits for a person: ${askText(asks[0]?.text ?? "")}`
        : `${countText(asks.length, "question")} for a person`;
    case "running":
      return state.phase === null ? "At work." : `At work in ${state.phase}.`;
    case "stopped":
      return "No process drives it now.";
  }
}

/** The proof of a prompt of Envoy is in its plan, where a gate of the run found it. */
function planText(gates: RunModel["gates"]): string | null {
  const shown = gates.findLast(({ gate }) => gate === "shown_in_plan")?.attempts.at(-1);
  const [finding] = shown?.verdict === "pass" ? shown.findings : [];
  if (finding === undefined) return null;
  const short = finding.replace(/^plan: /u, "").replaceAll(/(sha256:[0-9a-f]{12})[0-9a-f]+/gu, "$1");
  return `The plan shows its result: ${short}.`;
}

function Figures({ model }: { readonly model: RunModel }) {
  const { asked, state, spent, gates, records, result } = model;
  const refused = gates
    .flatMap(({ attempts }) => attempts)
    .filter(({ verdict }) => verdict !== "pass").length;
  const took =
    state.startedAt === null || state.updatedAt === null
      ? "–"
      : durationText(betweenMs(state.startedAt, state.endedAt ?? state.updatedAt));
  const figures: readonly (readonly [string, string])[] = [
    ["Started", state.startedAt === null ? "–" : dateText(state.startedAt)],
    [state.endedAt === null ? "So far" : "Took", took],
    ["Agents worked", durationText(spent.total.workedMs)],
    ["Cost", costText(spent.total.costUsd)],
    ["Tokens", tokensText(spent.total.tokens)],
    ["Refused attempts", String(refused)],
    ["Records", String(records.length)],
    ["Base", asked.base.slice(0, 12)],
    ...(result.branch === null ? [] : [["Result", result.branch] as const]),
  ];
  return (
    <dl class="figures">
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd data-figure={name}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
