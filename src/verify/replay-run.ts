/** `mettle verify --replay`: executes every recorded proof again and names each test that differs (CORE-42). */
import { parseArchitecture } from "../gates/documents/architecture-document.ts";
import { parseRecord, type EvidenceRecord } from "../evidence/record.ts";
import type { EventOf, Recorded } from "../log/run-event.ts";
import { emptyView, foldView, type RunView } from "../log/run-view.ts";
import type { RunContext } from "../run/context.ts";
import type { FamilyRun } from "../family/family.ts";
import { recorded } from "../run/list-runs.ts";
import { baselineCache, proofPorts } from "../run/proof-ports.ts";
import { proveFinal } from "../proof/final-proof.ts";
import { proveGreen } from "../proof/green-proof.ts";
import type { GateProof } from "../proof/proof.ts";
import { proveRed } from "../proof/red-proof.ts";
import { replayDocuments } from "./replay-documents.ts";
import type { RunVerification } from "./verify-run.ts";
import { shortCommit } from "../lib/short-commit.ts";

type RecordEvent = Recorded<EventOf<"record.written">>;

export async function replayRun(context: FamilyRun, signal: AbortSignal): Promise<RunVerification> {
  const { records } = context.session.view;
  // An inconclusive record has no result to compare with.
  const isReplayed = ({ purpose }: RecordEvent) => purpose === "documents" || purpose in provers;
  const replayed = records.filter((written) => isReplayed(written) && written.verdict !== "inconclusive");
  const changed: { readonly written: RecordEvent; readonly tests: readonly string[] }[] = [];
  const doubtful: RecordEvent[] = [];
  for (const written of replayed) {
    const { tests, unclear } = await replay(context, written, signal);
    if (unclear) doubtful.push(written);
    else if (tests.length > 0) changed.push({ written, tests });
  }
  const [first] = changed;
  if (first) {
    const why = changed.map(({ written, tests }) => `${written.id}: ${tests.join(", ")}`);
    return answer(context, first.written, {
      verdict: "fail",
      why: `replayed differently: ${why.join("; ")}`,
    });
  }
  const [doubt] = doubtful;
  if (doubt)
    return answer(context, doubt, { verdict: "inconclusive", why: `${doubt.id} could not be replayed` });
  const nothing = { verdict: "inconclusive", why: "the run has no record to replay" } as const;
  if (replayed.length === 0) return answer(context, null, nothing);
  return { ...answer(context, null, { verdict: "pass", why: "" }), replayed: replayed.map(replayedText) };
}

function replayedText({ id, purpose, commit }: RecordEvent): string {
  return `${purpose} (${id})${commit === null ? "" : ` at commit ${shortCommit(commit)}`}`;
}

function answer(
  { session }: RunContext,
  written: RecordEvent | null,
  result: Pick<RunVerification, "verdict" | "why">,
): RunVerification {
  const { id: record = null, phase = null } = written ?? {};
  return { ...result, record, phase, records: session.view.records.length };
}

interface ReplayResult {
  /** Ids whose result differs now. */
  readonly tests: readonly string[];
  readonly unclear: boolean;
}

async function replay(context: FamilyRun, written: RecordEvent, signal: AbortSignal): Promise<ReplayResult> {
  const record = parseRecord(JSON.parse(await context.payloads.text(written.ref)));
  const past = await viewBefore(context, written.seq);
  if (written.purpose === "documents")
    return { tests: await replayDocuments({ context, record, past, signal }), unclear: false };
  const prove = provers[written.purpose];
  if (!prove || record.commit === null) return { tests: [], unclear: true };
  const common = {
    ports: proofPorts(context, signal),
    cache: baselineCache(context),
    settings: context.settings,
    base: argumentOf(record, "--base") ?? context.started.base,
    head: record.commit,
  };
  const { tests, verdict } = await prove({ context, record, past, common });
  return { tests: differing(record, tests), unclear: verdict.verdict === "inconclusive" };
}

function differing(record: EvidenceRecord, tests: GateProof["tests"]): readonly string[] {
  const before = new Map(record.tests.map(({ id, status }) => [id, status]));
  const now = new Map(tests.map(({ id, status }) => [id, status]));
  const ids = new Set([...before.keys(), ...now.keys()]);
  return [...ids].filter((id) => before.get(id) !== now.get(id));
}

function argumentOf({ argv }: EvidenceRecord, name: string): string | undefined {
  const at = argv.indexOf(name);
  return at === -1 ? undefined : argv[at + 1];
}

/** The run as it was when the record was made. */
async function viewBefore({ run, session }: RunContext, seq: number): Promise<RunView> {
  const events = (await session.ports.journal.read(run)).map(recorded);
  return foldView(
    emptyView(run),
    events.filter((event) => event.seq < seq),
  );
}

interface ProverInput {
  readonly context: FamilyRun;
  readonly record: EvidenceRecord;
  readonly past: RunView;
  readonly common: Omit<Parameters<typeof proveFinal>[0], "approved" | "required">;
}

/** Purpose of a record -> how to make its proof again. */
const provers: Readonly<Record<string, (proving: ProverInput) => Promise<GateProof>>> = {
  red: replayRed,
  green: ({ common, record }) =>
    proveGreen({
      ...common,
      red: argumentOf(record, "--red") ?? "",
      required: record.required,
      frozen: null,
      previous: null,
      oneFilePerIteration: false,
    }),
  final: replayFinal,
  claim: replayFinal,
};

function replayFinal({ common, record }: ProverInput): Promise<GateProof> {
  return proveFinal({ ...common, approved: common.head, required: record.required });
}

/** Stubs planned files. Without an architecture, the first attempt has no stubs. */
async function replayRed({ context, common, record, past }: ProverInput): Promise<GateProof> {
  const ask = (planned: readonly string[]) => proveRed({ ...common, criteria: null, plan: {}, planned });
  const architecture = past.documents["architecture"]?.ref;
  if (architecture !== undefined)
    return ask(parseArchitecture(await context.payloads.text(architecture), []).files);
  const bare = await ask([]);
  if (differing(record, bare.tests).length === 0) return bare;
  const { files } = await context.family.planned({ documents: past.documents, payloads: context.payloads });
  return files.length === 0 ? bare : ask(files);
}
