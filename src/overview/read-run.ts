/** Reads one run from its journal and its stored texts into the model that people look at. Writes nothing. */
import { parseRecord, type EvidenceRecord } from "../evidence/record.ts";
import { requirementsTested } from "../engine/documents/requirements.ts";
import { criteriaTested } from "../families/graph/view/criteria-tested.ts";
import type { FamilyRun } from "../family/family.ts";
import { shippedFamilies } from "../families/families.ts";
import { openRun } from "../families/open-run.ts";
import { treeStatus } from "../families/graph/view/tree-status.ts";
import { changedPaths } from "../git/objects/tree.ts";
import { resultOf, type RunView } from "../log/run-view.ts";
import type { Repository } from "../git/repository.ts";
import { laterCommit } from "../run/later-commit.ts";
import type { Protocol } from "../protocol/machine.ts";
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
  const open = () => openRun(host, { run, events });
  return readModel({ view, events, owner }, { stored, repository, open });
}

/** Where the texts and commits of a run are. */
export interface RunSource {
  /** A stored text as `parse` reads it; the same address may give the same value again. */
  readonly stored: <Value>(ref: string, parse: (text: string) => Value) => Promise<Value>;
  /** Null: it is gone. */
  readonly repository: Repository | null;
  /** The run of a tree with the state of its nodes, as of the newest event. */
  readonly open: () => Promise<FamilyRun>;
}

/**
 * Only a tree is opened: that repeats all steps of the run, which its nodes alone need.
 * @param read the events of a run, with what they make
 */
export async function readModel(
  { view, events, owner }: Pick<RunFacts, "view" | "events" | "owner">,
  source: RunSource,
): Promise<RunModel> {
  const { stored, repository } = source;
  const reading = readOrSay();
  const { read } = reading;
  const protocol = read("its protocol", stored(view.protocolRef, asProtocol));
  const [records, verdicts, later, files, planned] = await Promise.all([
    readRecords(stored, view, reading),
    readVerdicts(stored, view, reading),
    repository === null ? null : read("the branches of the run", laterCommit(repository, view)),
    repository === null ? null : read("the changed files", changedFiles(repository, view)),
    Object.keys(view.nodes).length > 0
      ? readTree(source, owner, reading)
      : read("what the requirements are tested by", planOf(source, view, protocol)),
  ]);
  return runModel({
    view,
    events,
    owner,
    later,
    records,
    verdicts,
    protocol: (await protocol) ?? undefined,
    files: files ?? [],
    ...planned,
    unread: reading.unread,
  });
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

/** A verified address guarantees the type that it was stored with. */
function asProtocol(text: string): Protocol {
  return JSON.parse(text) as Protocol;
}

async function changedFiles(repository: Repository, view: RunView): Promise<readonly string[]> {
  const [from, to] = [view.started?.base, resultOf(view) ?? view.head.branch];
  if (from === undefined || to === null) return [];
  return (await changedPaths(repository, { from, to })).map(({ path }) => path);
}

type Planned = Pick<RunFacts, "nodes" | "requirements">;

async function planOf(
  { stored }: RunSource,
  view: RunView,
  protocol: Promise<Protocol | null>,
): Promise<Planned> {
  const read = await protocol;
  if (read === null) return {};
  const payloads = { text: (ref: string) => stored(ref, (text) => text) };
  return {
    requirements: await requirementsTested({
      family: shippedFamilies.of(read),
      session: { view },
      payloads,
    }),
  };
}

async function readTree(
  { repository, open }: RunSource,
  owner: number | null,
  { read }: Reading,
): Promise<Planned> {
  const context = repository === null ? null : await read("its tree and settings", open());
  if (context === null) return {};
  const [tree, requirements] = await Promise.all([
    read("the tree of nodes", treeStatus(context, owner)),
    read("what the requirements are tested by", criteriaTested(context)),
  ]);
  return { nodes: tree?.nodes ?? [], requirements: requirements ?? [] };
}
