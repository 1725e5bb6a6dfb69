/** Advances a run without agents and gates: each open command gets the outcome of a complete run. */
import type { Command } from "../../src/kernel/command.ts";
import type { FamilyRun } from "../../src/family/family.ts";
import { openRun } from "../../src/families/open-run.ts";
import type { Settlement } from "../../src/run/settlement.ts";
import { newestOfSessions } from "../../src/referee/run-in-hand.ts";
import type { World } from "../orchestrate/world.ts";

const endings: Readonly<Record<string, Settlement>> = {
  design: { outcome: "PC", items: [{ id: "auth", hash: "1" }], list: "modules" },
  arch: { outcome: "ACCEPT" },
  plan: { outcome: "PC", items: [{ id: "C1", hash: "1" }], list: "cycles" },
  red: { outcome: "RC" },
  green: { outcome: "GC" },
  test: { outcome: "RTC" },
  impl: { outcome: "RIC" },
  de_review: { outcome: "APPROVED" },
  qa_review: { outcome: "APPROVED" },
  review: { outcome: "APPROVED" },
};

/** The newest run of a session. */
export async function newest(world: World): Promise<FamilyRun> {
  return openRun(world.host, { run: (await newestOfSessions(world.host)).run ?? "" });
}

/** Until `stop` returns true for the open command. Gates leave nothing in the journal: no commit, no frozen test. */
export async function settleUntil(
  { session }: Pick<FamilyRun, "session">,
  stop: (command: Command) => Promise<boolean>,
): Promise<Command> {
  for (;;) {
    const [open] = session.state.open.filter(({ type }) => type !== "spawn");
    if (open === undefined) throw new Error(`the run has ended ${session.state.ended?.reason ?? ""}`);
    if (await stop(open)) return open;
    const { ignored } = await session.settle(open.key, endingOf(open));
    if (ignored !== null) throw new Error(ignored);
  }
}

function endingOf({ type, mode, state }: Command): Settlement {
  if (type === "check") return { outcome: "pass" };
  if (state === "critic") return { outcome: mode === "Ω₄ᶜ" ? "PA" : "ACCEPT" };
  return endings[state] ?? { outcome: "" };
}
