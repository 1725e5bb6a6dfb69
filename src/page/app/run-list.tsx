/** All runs of this user: what waits for a person first, then each repository. */
import { signal } from "@preact/signals";
import { Mark } from "../parts/mark.tsx";
import { askText, costText, countText, dateText } from "../parts/words.ts";
import { GateForms } from "./plan/gate-forms.tsx";
import { addressOf, memoryAddress } from "./routes.ts";
import { connection, repositories } from "./state.ts";
import type { RepositoryRow, RunRow } from "./wire.ts";

export function RunList() {
  const all = [...repositories.value.values()].toSorted((a, b) => newestOf(b).localeCompare(newestOf(a)));
  const waiting = all.flatMap(({ runs }) => runs).filter(({ waits }) => waits !== null);
  return (
    <main id="main" tabIndex={-1}>
      <h1 tabIndex={-1}>Runs</h1>
      {waiting.length === 0 ? null : (
        <section id="waiting" aria-labelledby="waiting-title" class="waiting">
          <h2 id="waiting-title">Waits for you</h2>
          <ul class="runs">
            {waiting.map((run) => (
              <RunItem key={run.run} run={run} name={repositories.value.get(run.repository)?.name ?? null} />
            ))}
          </ul>
        </section>
      )}
      {all.length === 0 ? <Nothing /> : null}
      {all.map((repository) => (
        <Repository key={repository.id} repository={repository} />
      ))}
    </main>
  );
}

function newestOf({ runs }: RepositoryRow): string {
  return runs[0]?.startedAt ?? "";
}

function Nothing() {
  if (connection.value === "connecting") return <p class="none">Loading.</p>;
  return (
    <p class="none">
      There is no run yet. Start one in a repository: <code>mettle run 'Add a discount'</code>
    </p>
  );
}

/** How many runs of a repository are listed; more on demand. */
const firstRuns = 20;
const shownRuns = signal<ReadonlyMap<string, number>>(new Map());

function Repository({ repository }: { readonly repository: RepositoryRow }) {
  const { id, name, path, gone, fault, runs } = repository;
  const shown = shownRuns.value.get(id) ?? firstRuns;
  const more = runs.length - shown;
  return (
    <section aria-labelledby={`of-${id}`} data-repository={id}>
      <h2 id={`of-${id}`}>{name}</h2>
      <p class="lead">
        <span class="name">{path ?? id}</span>
        {gone ? <strong class="gone"> is gone; its runs can still be looked at</strong> : null}{" "}
        <a href={memoryAddress(id)} data-inside="" class="memory">
          Memory and knowledge
        </a>
      </p>
      {fault === null ? null : <p class="fault">Its runs cannot be read: {fault}</p>}
      {gone || fault !== null ? null : <GateForms repository={id} />}
      {runs.length === 0 && fault === null ? <p class="none">No run yet.</p> : null}
      <ul class="runs">
        {runs.slice(0, shown).map((run) => (
          <RunItem key={run.run} run={run} name={null} />
        ))}
      </ul>
      {more > 0 ? (
        <button
          type="button"
          onClick={() => (shownRuns.value = new Map([...shownRuns.value, [id, shown + 100]]))}
        >
          {countText(more, "older run")}
        </button>
      ) : null}
    </section>
  );
}

/** @param name of its repository, where the list does not say it */
function RunItem({ run, name }: { readonly run: RunRow; readonly name: string | null }) {
  const { status, task, waits, phase, reason, startedAt, costUsd, protocol } = run;
  const about = waits === null ? (reason === null || reason === "" ? phase : reason) : askText(waits);
  return (
    <li>
      <a href={addressOf(run)} data-inside="" data-run={run.run} class="run">
        <Mark of={status} />
        <span class="task">{task.split("\n", 1)[0] || `run ${run.run}`}</span>
        <span class="about">{about ?? ""}</span>
        <span class="facts">
          {name === null ? null : <span>{name}</span>}
          <span>{protocol}</span>
          <span>{startedAt === null ? "" : dateText(startedAt)}</span>
          {costUsd === null ? null : <span>{costText(costUsd)}</span>}
        </span>
      </a>
    </li>
  );
}
