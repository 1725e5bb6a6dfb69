/** Builds the model of a run from its journal and from stored texts. Pure: equal facts give an equal model. */
import { proofPassed, provingRecord } from "./proof.ts";
import { warningsOf } from "../gate/warnings.ts";
import { currentPhase } from "../run/run-state-line.ts";
import { loopReviews } from "../run/loop-reviews.ts";
import { runStatus, type RunStatus } from "../run/status.ts";
import { resultOf } from "../../log/run-view.ts";
import { cleaned } from "./clean.ts";
import { answersOf, asksOf, breakersOf, planGatesOf } from "./decisions.ts";
import { dispatchesOf, spentModel } from "./dispatches.ts";
import { recordsOf } from "./evidence.ts";
import type { RunFacts } from "./facts.ts";
import { gatesOf, judgedOf, verdictsByKey } from "./gates.ts";
import { nodesOf } from "./nodes.ts";
import { phasesOf } from "./phases.ts";
import { placesOf } from "./places.ts";
import { machinesOf } from "./protocol/machines.ts";
import { refusalsOf } from "./refusals.ts";
import { reviewsOf } from "./reviews.ts";
import type {
  AskedModel,
  CommitModel,
  DocumentModel,
  ResultModel,
  RunModel,
  StateModel,
} from "./run-model.ts";
import { stepsOf } from "./steps.ts";
import { mutantsOf } from "./mutants.ts";
import { testsOf } from "./tests.ts";

export function runModel(facts: RunFacts): RunModel {
  const { view, events, owner, later = null, nodes = [], requirements = [], unread = [] } = facts;
  const status = runStatus(view, { owner, later });
  const places = placesOf(view);
  const judged = judgedOf(events);
  const steps = stepsOf(view, places, verdictsByKey(judged));
  const now = events.at(-1)?.at ?? null;
  const asks = asksOf(view, status.waiting);
  return cleaned<RunModel>({
    version: 1,
    run: view.run,
    seq: view.seq,
    asked: askedOf(facts),
    state: stateOf(facts, status),
    phases: phasesOf(view, { steps, places, isRunning: owner !== null, now }),
    steps,
    dispatches: dispatchesOf(facts, steps),
    spent: spentModel(view),
    gates: gatesOf(facts, judged, places),
    requirements,
    records: recordsOf(facts),
    proof: provingRecord(view)?.id ?? null,
    tests: testsOf(facts),
    mutants: mutantsOf(facts),
    reviews: reviewsOf(view),
    loopReviews: loopReviews(view),
    refusals: refusalsOf(view, events),
    warnings: [...warningsOf({ ...view, claims: [], forged: [] }), ...unread],
    asks,
    answers: answersOf(view, events),
    questions: view.questions,
    breakers: breakersOf(view),
    nodes: nodesOf(view, events, nodes),
    machines: facts.protocol === undefined ? [] : machinesOf(facts.protocol, view, owner !== null),
    planGates: planGatesOf(events, asks),
    documents: documentsOf(facts),
    commits: commitsOf(facts),
    result: resultModel(facts),
  });
}

function askedOf({ view: { started, base, settingsRef } }: RunFacts): AskedModel {
  const { sandbox } = started ?? {};
  return {
    task: started?.task ?? "",
    protocol: started?.steps?.protocol ?? started?.protocol ?? "",
    repository: started?.repository ?? "",
    base: started?.base ?? "",
    branch: started?.branch ?? null,
    plan: planOf(started),
    baseTests: base === null ? null : { tests: base.tests, failing: base.count },
    agents: started?.agents ?? {},
    sandbox: sandbox == null ? "none" : `${sandbox.kind} ${sandbox.version}`,
    preapproved: started?.preapproved ?? [],
    demo: started?.demo ?? false,
    frozen: {
      protocol: started?.protocolRef ?? "",
      templates: started?.templatesRef ?? "",
      settings: settingsRef,
    },
  };
}

function planOf(started: RunFacts["view"]["started"]): string | null {
  if (started?.steps === undefined) return null;
  const named = started.steps.inputs["feature_branch"];
  return typeof named === "string" ? named : started.branch;
}

function stateOf({ view, events }: RunFacts, status: RunStatus): StateModel {
  return {
    status: status.status,
    reason: status.reason,
    proved: view.ended?.outcome === "complete" && proofPassed(view),
    phase: currentPhase(view),
    startedAt: view.started?.at ?? null,
    endedAt: view.ended?.at ?? null,
    updatedAt: events.at(-1)?.at ?? null,
    owner: status.owner,
    stateLine: status.state_line,
    loopLine: status.loop_line,
    unverified: status.unverified,
  };
}

function documentsOf({ view: { documents, versions } }: RunFacts): readonly DocumentModel[] {
  return Object.entries(documents).map(([name, { ref, by }]) => ({
    name,
    ref,
    versions: versions[name] ?? [ref],
    by,
  }));
}

function commitsOf({ view }: RunFacts): readonly CommitModel[] {
  return view.commits.map(({ key, kind, node, commit, paths, at }) => ({
    key,
    kind,
    node: node ?? null,
    commit,
    paths,
    at,
  }));
}

function resultModel({ view, files = [] }: RunFacts): ResultModel {
  const { run, started, landed } = view;
  const isComplete = view.ended?.outcome === "complete";
  const branch = isComplete && started?.steps === undefined ? `mettle/${run}/result` : null;
  return {
    branch,
    commit: resultOf(view) ?? view.head.branch,
    files,
    landed: landed.map(({ onto, commit }) => ({ onto, commit })),
    commands: [
      { words: "check the chain of records against the repository", command: `mettle verify ${run}` },
      { words: "execute every record again", command: `mettle verify ${run} --replay` },
      { words: "print the timeline", command: `mettle log ${run}` },
      ...(branch === null
        ? []
        : [
            { words: "see the change", command: `git diff ${started?.base ?? ""} ${branch}` },
            { words: "land it on the branch that the run started from", command: `mettle land ${run}` },
          ]),
    ],
  };
}
