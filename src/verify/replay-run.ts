/** `mettle verify --replay`: executes every recorded proof again and names each test that differs (CORE-42). */
import { parseArchitecture } from "../gates/documents/architecture-document.ts";
import { parseRecord } from "../evidence/record.ts";
import type { EventOf, Recorded } from "../log/run-event.ts";
import { emptyView, foldView, type RunView } from "../log/run-view.ts";
import type { RunContext } from "../run/context.ts";
import type { FamilyRun } from "../family/family.ts";
import { recorded } from "../run/list-runs.ts";
import { baselineCache, proofPorts } from "../run/proof-ports.ts";
import { differing, isReplayable, replayedText, replayProof } from "./replay-proof.ts";
import { replayDocuments } from "./replay-documents.ts";
import type { RunVerification } from "./verify-run.ts";

type RecordEvent = Recorded<EventOf<"record.written">>;

export async function replayRun(context: FamilyRun, signal: AbortSignal): Promise<RunVerification> {
  const { records } = context.session.view;
  // An inconclusive record has no result to compare with.
  const isReplayed = ({ purpose }: RecordEvent) => purpose === "documents" || isReplayable(purpose);
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
  // The dependencies may be newer than the run.
  const { dependenciesSince: _since, ...ports } = proofPorts(context, signal);
  const common = {
    ports,
    cache: baselineCache(context),
    settings: context.settings,
    base: context.started.base,
  };
  const planned = written.purpose === "red" ? await plannedBefore(context, past) : [];
  const proof = await replayProof({ record, planned, common });
  if (proof === null) return { tests: [], unclear: true };
  return { tests: differing(record, proof.tests), unclear: proof.verdict.verdict === "inconclusive" };
}

/** The run as it was when the record was made. */
export async function viewBefore({ run, session }: RunContext, seq: number): Promise<RunView> {
  const events = (await session.ports.journal.read(run)).map(recorded);
  return foldView(
    emptyView(run),
    events.filter((event) => event.seq < seq),
  );
}

/** The files that a RED of that time may have stubbed, in alternatives. Without an architecture, the first attempt has no stubs. */
export async function plannedBefore(
  { family, payloads }: FamilyRun,
  { documents }: RunView,
): Promise<readonly (readonly string[])[]> {
  const architecture = documents["architecture"]?.ref;
  if (architecture !== undefined) return [parseArchitecture(await payloads.text(architecture), []).files];
  const { files } = await family.planned({ documents, payloads });
  return files.length === 0 ? [[]] : [[], files];
}
