/** The limits that `mettle.yaml` may name: each protocol's counters, and its name for all of them (TDP-77). */
import { checkLimitNames } from "../../config/settings.ts";
import type { Settings } from "../../config/settings.ts";
import { loadProtocol, readProtocolFile } from "../../protocol/load.ts";
import { AppError } from "../../lib/errors.ts";
import type { Library } from "./library.ts";

/** Refuses limits that no protocol has. If a protocol cannot be read, its names are unknown and nothing is refused. */
export async function refuseUnknownLimits(
  root: string,
  { limits }: Pick<Settings, "limits">,
  { protocols }: Library,
): Promise<void> {
  if (Object.keys(limits).length === 0) return;
  // The limit of `envoy gemini review`, which is in no protocol.
  const known = new Set<string>(["envoy_reviews"]);
  for (const [name, source] of protocols)
    try {
      if (readProtocolFile(source).kind === "steps") continue;
      const counters = countersOf(name, protocols);
      // The protocol's name sets all its limits.
      for (const limit of counters.length === 0 ? [] : [name, ...counters]) known.add(limit);
    } catch (error) {
      if (error instanceof AppError) return;
      throw error;
    }
  await checkLimitNames(root, known);
}

/** Counters with a limit; rounds are counted without one. */
function countersOf(name: string, protocols: Library["protocols"]): readonly string[] {
  const { machines } = loadProtocol(name, protocols);
  return Object.values(machines).flatMap(({ counters }) =>
    Object.entries(counters).flatMap(([counter, { limit }]) => (limit === null ? [] : [counter])),
  );
}
