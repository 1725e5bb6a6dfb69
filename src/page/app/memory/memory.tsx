/** What a repository remembers: its memory bank, the dialogues of its runs, its knowledge graph. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type {
  BankFileModel,
  BankModel,
  DialogueModel,
  ObservationModel,
} from "../../../views/model/memory-model.ts";
import { Mark } from "../../parts/mark.tsx";
import { Markdown } from "../../parts/markdown.tsx";
import { Fold, Section } from "../../parts/section.tsx";
import { InPieces, IsLive } from "../../parts/pieces.tsx";
import { Table } from "../../parts/table.tsx";
import { clockText, countText, dateText } from "../../parts/words.ts";
import { fetchDialogue, fetchMemory, type MemoryAnswer } from "../api.ts";
import { Knowledge } from "./knowledge.tsx";
import { addressOf } from "../routes.ts";
import { repositories } from "../state.ts";
import type { WireError } from "../wire.ts";

export function MemoryView({ repository }: { readonly repository: string }) {
  const answer = useSignal<MemoryAnswer | null>(null);
  const error = useSignal<WireError | null>(null);
  const query = useSignal("");
  const read = async (): Promise<void> => {
    const wanted = query.value;
    const asked = await fetchMemory(repository, wanted);
    // A later search may have been answered first.
    if (wanted !== query.value) return;
    if (asked.type === "failed") error.value = asked.error;
    else answer.value = asked.value;
  };
  useEffect(() => {
    const timer = window.setTimeout(() => void read(), query.value === "" ? 0 : 200);
    return () => window.clearTimeout(timer);
  }, [query.value]);
  const row = repositories.value.get(repository);
  const memory = answer.value?.memory;
  return (
    <IsLive.Provider value={true}>
      <main id="main" tabIndex={-1}>
        <header class="run">
          <p class="over">
            <span class="name">{row?.path ?? repository}</span>
          </p>
          <h1 tabIndex={-1}>What {row?.name ?? "the repository"} remembers</h1>
        </header>
        {error.value === null ? null : (
          <p class="refusal" role="alert">
            {error.value.message}. {error.value.hint}
          </p>
        )}
        {memory === undefined ? (
          error.value === null && <p class="none">Loading.</p>
        ) : (
          <>
            <nav class="parts" aria-label="Parts of this page">
              <a href="#bank">Memory bank</a>
              <a href="#dialogues">Dialogues</a>
              <a href="#knowledge">Knowledge graph</a>
            </nav>
            <Bank bank={memory.bank} />
            <Dialogues dialogues={memory.dialogues} repository={repository} />
            <Knowledge graph={memory.graph} query={query.value} onQuery={(text) => (query.value = text)} />
          </>
        )}
      </main>
    </IsLive.Provider>
  );
}

function Bank({ bank }: { readonly bank: BankModel | null }) {
  return (
    <Section
      id="bank"
      title="Memory bank"
      lead="What agents of riper and dptr read before they work: Markdown files of the repository."
    >
      {bank === null ? (
        <p class="none">The repository is gone, and its memory bank with it.</p>
      ) : bank.fault !== null ? (
        <p class="fault">It cannot be read: {bank.fault}</p>
      ) : bank.files.length === 0 ? (
        <p class="none">
          This repository has no memory bank; <code>mettle init --protocol dptr</code> makes one.
        </p>
      ) : (
        bank.files.map((file) => <BankFile key={file.path} file={file} />)
      )}
    </Section>
  );
}

const states = {
  filled: { mark: "done", words: "filled" },
  empty: { mark: "queued", words: "empty" },
  edited: { mark: "waiting", words: "edited" },
  missing: { mark: "failed", words: "missing" },
} as const;

function BankFile({ file }: { readonly file: BankFileModel }) {
  const { path, name, state, text, cut, changedAt, broken } = file;
  const { mark, words } = states[state];
  return (
    <div data-file={path} data-state={state}>
      <Fold
        title={
          <>
            {name === null ? null : <strong>{name}</strong>}
            <span class="name">{path}</span>
            <Mark of={mark}>{words}</Mark>
            {broken.length === 0 ? null : (
              <Mark of="fail">{countText(broken.length, "broken reference")}</Mark>
            )}
            <span class="aside">{changedAt === null ? "" : `changed ${dateText(changedAt)}`}</span>
          </>
        }
      >
        {state === "missing" ? (
          <p class="none">
            There is no such file; <code>mettle init</code> makes it, and so does the next run.
          </p>
        ) : null}
        {state === "edited" ? (
          <p class="aside">
            Somebody changed the part that a run writes. The next event of a run writes it again from the
            journal.
          </p>
        ) : null}
        {broken.length === 0 ? null : (
          <ul class="reasons">
            {broken.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        )}
        {text === "" ? null : <Markdown text={text} />}
        {cut ? <p class="rest">The file is longer; an editor shows all of it.</p> : null}
      </Fold>
    </div>
  );
}

interface DialoguesProps {
  readonly dialogues: readonly DialogueModel[];
  readonly repository: string;
}

function Dialogues({ dialogues, repository }: DialoguesProps) {
  return (
    <Section
      id="dialogues"
      title="Dialogues"
      lead="The memory of sessions: what agents of riper and dptr told each other in the loops of a run."
    >
      {dialogues.length === 0 ? (
        <p class="none">
          No run of this repository has a dialogue; runs of <code>mettle run --protocol riper</code> have
          them.
        </p>
      ) : (
        <InPieces of={dialogues} max={dialogues.length}>
          {(shown) =>
            shown.map((dialogue) => (
              <Dialogue key={dialogue.name} dialogue={dialogue} repository={repository} />
            ))
          }
        </InPieces>
      )}
    </Section>
  );
}

function Dialogue({
  dialogue,
  repository,
}: {
  readonly dialogue: DialogueModel;
  readonly repository: string;
}) {
  const { name, kind, run, opened, closed, observations } = dialogue;
  const lines = useSignal<readonly ObservationModel[] | null>(null);
  const error = useSignal<WireError | null>(null);
  const read = async (): Promise<void> => {
    const asked = await fetchDialogue(repository, name);
    if (asked.type === "failed") error.value = asked.error;
    else lines.value = asked.value.observations;
  };
  return (
    <details
      data-dialogue={name}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open && lines.value === null) void read();
      }}
    >
      <summary>
        <span class="name">{name}</span>
        <span>{kind === "plan_loop" ? "plan" : "tests and code"}</span>
        {closed === null ? <Mark of="open">open</Mark> : null}
        <span class="aside">
          {countText(observations, "observation")}, {dateText(opened)}
        </span>
      </summary>
      <div class="folded">
        <p>
          Of{" "}
          <a href={addressOf({ repository, run })} data-inside="">
            run {run}
          </a>
        </p>
        {error.value === null ? null : <p class="refusal">{error.value.message}</p>}
        {lines.value === null ? null : (
          <Table
            caption={`Observations of ${name}`}
            rows={lines.value}
            idOf={({ id }) => String(id)}
            empty="Nothing was said in it."
            rest={`mettle memory query ${run} 'OBS[S${name},*,*,*]'`}
            columns={[
              { label: "Agent", kind: "name", cell: ({ agent }) => agent },
              { label: "Round", kind: "number", cell: ({ round }) => round },
              { label: "At", kind: "number", cell: ({ at }) => clockText(at) },
              { label: "Said", cell: ({ content }) => <span class="pre">{content}</span> },
            ]}
          />
        )}
      </div>
    </details>
  );
}
