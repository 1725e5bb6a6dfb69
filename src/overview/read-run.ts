/** Reads one run from its journal and its stored texts into the model that people look at. Writes nothing. */
import { parseRecord, type EvidenceRecord } from "../evidence/record.ts";
import { requirementsTested } from "../engine/documents/requirements.ts";
import { criteriaTested } from "../families/graph/view/criteria-tested.ts";
import type { FamilyRun } from "../family/family.ts";
import { openRun } from "../families/open-run.ts";
import { treeStatus } from "../families/graph/view/tree-status.ts";
import { changedPaths } from "../git/objects/tree.ts";
import { resultOf, type RunView } from "../log/run-view.ts";
import type { Repository } from "../git/repository.ts";
import { laterCommit } from "../run/later-commit.ts";
import type { OpenHost } from "../run/host.ts";
import { foldRun, recorded } from "../run/list-runs.ts";
import { runModel } from "../views/model/build-model.ts";
import type { RunFacts, StoredVerdict } from "../views/model/facts.ts";
import type { RunModel } from "../views/model/run-model.ts";

/**
 * What cannot be read, for example of a run of another version, is named in the model's warnings.
 * @param run id of a run that exists
 */
export async function readRun(host: OpenHost, run: string): Promise<RunModel> {
  const { journal, payloads, repository } = host;
  const events = (await journal.read(run, 0)).map(recorded);
  const view = await foldRun(journal, run);
  const owner = (await journal.owner(run))?.pid ?? null;
  const stored: RunSource["stored"] = async (ref, parse) => parse(await payloads.text(ref));
  return readModel({ view, events, owner }, { stored, repository, open: () => openRun(host, { run }) });
}

/** Where the texts and commits of a run are. */
export interface RunSource {
  /** A stored text as `parse` reads it; the same address may give the same value again. */
  readonly stored: <Value>(ref: string, parse: (text: string) => Value) => Promise<Value>;
  /** Null: it is gone. */
  readonly repository: Repository | null;
  /** The run with its protocol and settings, as of the newest event. */
  readonly open: () => Promise<FamilyRun>;
}

/** @param read the events of a run, with what they make */
export async function readModel(
  { view, events, owner }: Pick<RunFacts, "view" | "events" | "owner">,
  { stored, repository, open }: RunSource,
): Promise<RunModel> {
  const reading = readOrSay();
  const [records, verdicts, later, opened] = await Promise.all([
    readRecords(stored, view, reading),
    readVerdicts(stored, view, reading),
    repository === null ? null : reading.read("the branches of the run", laterCommit(repository, view)),
    repository === null
      ? null
      : reading.read("its protocol and settings", openedFacts(open, view, { owner, reading })),
  ]);
  return runModel({ view, events, owner, later, records, verdicts, ...opened, unread: reading.unread });
}

/** Reads what a page can do without. */
interface Reading {
  readonly unread: string[];
  readonly read: <Value>(what: string, value: Promise<Value>) => Promise<Value | null>;
}

function readOrSay(): Reading {
  const unread: string[] = [];
  return {
    unread,
    read: (what, value) =>
      value.catch((error: unknown) => {
        unread.push(`not shown: ${what} (${error instanceof Error ? error.message : String(error)})`);
        return null;
      }),
  };
}

async function readRecords(
  stored: RunSource["stored"],
  { records }: RunView,
  { read }: Reading,
): Promise<ReadonlyMap<string, EvidenceRecord>> {
  const found = await Promise.all(
    records.map(async ({ id, ref }) => {
      const record = await read(
        `record ${id}`,
        stored(ref, (text) => parseRecord(JSON.parse(text))),
      );
      return record === null ? [] : [[id, record] as const];
    }),
  );
  return new Map(found.flat());
}

async function readVerdicts(
  stored: RunSource["stored"],
  { judged }: RunView,
  { read }: Reading,
): Promise<ReadonlyMap<string, StoredVerdict>> {
  const found = await Promise.all(
    [...new Set(judged.map(({ ref }) => ref))].map(async (ref) => {
      const verdict = await read(
        `verdict ${ref}`,
        // A verified address guarantees the type that it was stored with.
        stored(ref, (text) => JSON.parse(text) as StoredVerdict),
      );
      return verdict === null ? [] : [[ref, verdict] as const];
    }),
  );
  return new Map(found.flat());
}

async function openedFacts(
  open: RunSource["open"],
  view: RunView,
  { owner, reading }: { readonly owner: number | null; readonly reading: Reading },
): Promise<Pick<RunFacts, "nodes" | "requirements" | "files" | "protocol">> {
  const context = await open();
  const to = resultOf(view) ?? view.head.branch;
  const from = context.started.base;
  const isTree = Object.keys(view.nodes).length > 0;
  const [tree, requirements, files] = await Promise.all([
    isTree ? reading.read("the tree of nodes", treeStatus(context, owner)) : null,
    reading.read("what the requirements are tested by", requirementsOf(context, isTree)),
    to === null ? null : reading.read("the changed files", changedPaths(context.repository, { from, to })),
  ]);
  return {
    protocol: context.protocol,
    nodes: tree?.nodes ?? [],
    requirements: requirements ?? [],
    files: (files ?? []).map(({ path }) => path),
  };
}

function requirementsOf(context: FamilyRun, isTree: boolean): Promise<RunModel["requirements"]> {
  return isTree ? criteriaTested(context) : requirementsTested(context);
}
