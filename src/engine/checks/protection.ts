/** σ₆: paths that no role may write. Work that touches one is refused before any of it runs (RIP-03). */
import { conclude, failed, shortList } from "../../gates/check.ts";
import { matchesAny } from "../../source/paths.ts";
import type { GateCommand, GateResult } from "../../family/gate.ts";
import type { RunContext } from "../../run/context.ts";
import { refuse } from "./work.ts";

/** @returns null if the newest commit touches no protected path */
export async function refuseProtected(context: RunContext, command: GateCommand): Promise<GateResult | null> {
  const { protection = [] } = context.started;
  const work = context.session.view.commits.at(-1);
  if (work === undefined) return null;
  const touched = work.paths.filter((path) => matchesAny(path, protection));
  if (touched.length === 0) return null;
  const outcome =
    context.protocol.gates[command.gate]?.includes("fail.quality") === true ? "fail.quality" : "fail";
  const verdict = conclude({
    checks: [failed("σ₆ protection", `memory-bank/protection.md forbids writing ${shortList(touched)}`)],
    findings: [],
    hints: { "σ₆ protection": outcome },
  });
  return { verdict, facts: await refuse(context, { work, verdict }) };
}
