/** The limits that `mettle.yaml` may name: the counters of every protocol at hand (TDP-77), and its own name for all of them. */
import { checkLimitNames } from "../../config/settings.ts";
import type { Settings } from "../../config/settings.ts";
import { loadProtocol, readProtocolFile } from "../../protocol/load.ts";
import { AppError } from "../../lib/errors.ts";
import type { Library } from "./library.ts";

/** A limit of another protocol is no fault; one of none is. Where a protocol cannot be read its names are not known. */
export async function refuseUnknownLimits(
  root: string,
  { limits }: Pick<Settings, "limits">,
  { protocols }: Library,
): Promise<void> {
  if (Object.keys(limits).length === 0) return;
  // Of `envoy gemini review`, which is in no protocol.
  const known = new Set<string>(["envoy_reviews"]);
  for (const [name, source] of protocols)
    try {
      if (readProtocolFile(source).kind === "steps") continue;
      const counters = countersOf(name, protocols);
      // The protocol's own name stands for all its loops.
      for (const limit of counters.length === 0 ? [] : [name, ...counters]) known.add(limit);
    } catch (error) {
      if (error instanceof AppError) return;
      throw error;
    }
  await checkLimitNames(root, known);
}

/** A round is counted, but bounds nothing. */
function countersOf(name: string, protocols: Library["protocols"]): readonly string[] {
  const { machines } = loadProtocol(name, protocols);
  return Object.values(machines).flatMap(({ counters }) =>
    Object.entries(counters).flatMap(([counter, { limit }]) => (limit === null ? [] : [counter])),
  );
}
