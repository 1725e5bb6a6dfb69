/**
 * Files that an agent wrote and that are in no commit. A file that git filters or cannot store refuses the work before any of
 * it runs. An ignored file is only named when the work fails, as a possible cause.
 */
import { conclude, failed, shortList } from "../../gates/check.ts";
import type { Check } from "../../gates/verdict.ts";
import { nodesOfFrames } from "../../log/node-frames.ts";
import type { RunContext } from "../../run/context.ts";
import type { LeftOutFile } from "../../dispatch/workspace/left-out.ts";
import type { GateCommand, GateResult } from "../../family/gate.ts";
import { refuse, type Candidate } from "./work.ts";

/** @returns null if nothing was left out, or only ignored files were */
export async function refuseLeftOut(context: RunContext, command: GateCommand): Promise<GateResult | null> {
  const found = leftOut(context, command);
  const refused = found?.files.filter(({ reason }) => reason !== "ignored") ?? [];
  if (found === null || refused.length === 0) return null;
  const isPlain = context.protocol.gates[command.gate]?.includes("fail") === true;
  const outcome = isPlain ? "fail" : "fail.quality";
  const verdict = conclude({
    checks: [
      ...check("filtered_path", refused, ["filter"]),
      ...check("left_out", refused, ["too_large", "unreadable"]),
    ],
    findings: [],
    hints: { filtered_path: outcome, left_out: outcome },
  });
  return { verdict, facts: await refuse(context, { work: found.work, verdict }) };
}

/** Adds the ignored files to a failed verdict. */
export function withIgnored(context: RunContext, command: GateCommand, judged: GateResult): GateResult {
  const { verdict } = judged;
  if (verdict.verdict !== "fail") return judged;
  const ignored = check("ignored", leftOut(context, command)?.files ?? [], ["ignored"]);
  return { ...judged, verdict: { ...verdict, checks: [...verdict.checks, ...ignored] } };
}

function leftOut(
  { session }: RunContext,
  command: GateCommand,
): { readonly work: Candidate; readonly files: readonly LeftOutFile[] } | null {
  const node = nodesOfFrames(session.view).get(command.frame);
  const work = session.view.commits.findLast((commit) => commit.node === node);
  const files = session.view.leftOut.filter(({ key }) => key === work?.key).flatMap((event) => event.files);
  return work === undefined ? null : { work, files };
}

function check(
  name: string,
  files: readonly LeftOutFile[],
  reasons: readonly LeftOutFile["reason"][],
): readonly Check[] {
  const own = files
    .filter(({ reason }) => reasons.includes(reason))
    .map(({ path, why }) => `${path} (${why})`);
  return own.length === 0 ? [] : [failed(name, `these files are in no commit: ${shortList(own)}`)];
}
