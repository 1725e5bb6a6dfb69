/** Shared by the gates of a cycle: GREEN proofs, record ids, and what changed. */
import { holdoutWords } from "../../../views/gate/holdout-words.ts";
import { sizeNumbers } from "../../../source/code-size.ts";
import { kindOf } from "../../../source/paths.ts";
import { changedPaths } from "../../../git/objects/tree.ts";
import type { RunContext } from "../../../run/context.ts";
import { cycleOf } from "../cycle.ts";
import { proofCommon, proofPorts } from "../../../run/proof-ports.ts";
import type { RecordDraft } from "../../../proof/draft.ts";
import { proveGreen, type GreenRequest } from "../../../proof/green-proof.ts";
import type { GateProof } from "../../../proof/proof.ts";
import { projectAt } from "../../../proof/project/project.ts";
import { assignIds } from "../../../run/records.ts";
import type { GateRequest } from "../../../family/gate.ts";
import { lintNumbers } from "../../../proof/lint-numbers.ts";
import type { Candidate } from "../../../engine/checks/work.ts";

/** Proves a cycle's commit against the frozen tests, starting at its parent. */
export async function proveCycleGreen(
  { context, command, signal }: GateRequest,
  work: Candidate,
  { mayBeEmpty }: Pick<GreenRequest, "mayBeEmpty"> = {},
): Promise<{ readonly base: string; readonly proof: GateProof }> {
  const { base } = await cycleOf(context, command);
  const { view } = context.session;
  const { frozen } = view;
  const proof = await proveGreen({
    ...proofCommon(context, signal),
    base,
    head: work.commit,
    red: work.parent,
    required: frozen?.required ?? [],
    frozen: frozen?.files ?? null,
    previous: null,
    tried: work.tried,
    holdout: holdoutWords(view, work.key),
    oneFilePerIteration: false,
    ...(mayBeEmpty === undefined ? {} : { mayBeEmpty }),
  });
  return { base, proof };
}

/** The id of the last draft once it is sealed, which is the gate's own record. */
export function recordOf({ context, command }: GateRequest, drafts: readonly RecordDraft[]): string {
  return assignIds(context.session.view, command.key, drafts).at(-1)?.id ?? "";
}

interface Change {
  readonly from: string;
  readonly to: string;
  readonly kind: "test" | "source";
}

/** The changed files of one kind, before and after. */
export async function changedTexts({ repository, settings }: RunContext, { from, to, kind }: Change) {
  const paths = (await changedPaths(repository, { from, to }))
    .map(({ path }) => path)
    .filter((path) => kindOf(path, settings.paths) === kind);
  const [old, now] = await Promise.all([projectAt(repository, from), projectAt(repository, to)]);
  return { old, now, before: await old.texts(paths), after: await now.texts(paths) };
}

/** Size, complexity and lint findings, before and after. */
export async function changedNumbers(context: RunContext, signal: AbortSignal, change: Change) {
  const { old, now, before, after } = await changedTexts(context, change);
  const paths = [...new Set([...before.keys(), ...after.keys()])];
  const request = { before: old, after: now, paths, maxMs: maxLintMs };
  const lint = await lintNumbers(proofPorts(context, signal), request);
  return { ...sizeNumbers(before, after), ...lint };
}

const maxLintMs = 60_000;

/** The name of the standards: riper and protocols that extend it use their symbol. */
export function standardsOf({ protocol }: RunContext): string {
  return [protocol.name, ...protocol.bases].includes("riper") ? "Ψ standards" : "standards";
}
