/** Saves abandoned work under `refs/mettle/rescue/<run>/…` with the reason (CORE-71). */
import { rescue, type RescueOptions } from "../git/rescue.ts";
import type { RunContext } from "./context.ts";

export type RescuedWork = Pick<RescueOptions, "key" | "reason" | "work">;

/** Saves the work and journals its location; does nothing and returns null if there is none. */
export async function rescueWork(
  context: RunContext,
  { key, reason, work }: RescuedWork,
): Promise<{ readonly commit: string } | null> {
  const { repository, run, session } = context;
  const at = session.view.commands[key]?.at ?? session.view.started?.at ?? "";
  const kept = await rescue(repository, { run, key, reason, work, dateMs: Date.parse(at) });
  if (kept !== null && !session.view.rescued.some(({ ref }) => ref === kept.ref))
    await session.record([{ type: "work.rescued", key, ref: kept.ref, commit: kept.commit, reason }]);
  return kept;
}
