/** Overrides a protocol's counter limits with the user's before its run starts. */
import { AppError } from "../lib/errors.ts";
import type { Counter, Machine, Protocol } from "../protocol/machine.ts";

/**
 * Applies limits by counter name; a limit under the protocol's name applies to all its loops. Unknown names are ignored,
 * since they belong to other protocols. A counter's name takes precedence over the protocol's.
 */
export function withLimits(protocol: Protocol, limits: Readonly<Record<string, number>>): Protocol {
  for (const [name, limit] of Object.entries(limits)) validateLimit(protocol, name, limit);
  const all = [protocol.name, ...protocol.bases].find((name) => Object.hasOwn(limits, name));
  const ofLoops = all === undefined ? undefined : limits[all];
  const limited = (machine: Machine): Machine => ({
    ...machine,
    counters: mapValues(machine.counters, (counter, name): Counter => {
      const own = Object.hasOwn(limits, name) ? limits[name] : undefined;
      const limit = own ?? (isLoopCounter(counter) ? ofLoops : undefined);
      return limit === undefined ? counter : { ...counter, limit };
    }),
  });
  return { ...protocol, machines: mapValues(protocol.machines, limited) };
}

/** Counts attempts of a loop: not extra attempts (`from: 0`), retries of one dispatch, or equal failures. */
function isLoopCounter({ limit, from, scope, same }: Counter): boolean {
  return limit !== null && from === 1 && scope === "frame" && !same;
}

function validateLimit(protocol: Protocol, name: string, limit: number): void {
  if (!Number.isSafeInteger(limit) || limit < 1)
    throw new AppError(
      "config_invalid",
      `limits.${name} is ${String(limit)}; a limit is a whole number of at least 1`,
      {
        hint: `write \`limits: {${name}: 1}\` or more, or leave it out to have the protocol's own`,
        detail: { key: `limits.${name}`, value: limit },
      },
    );
  const isRound = Object.values(protocol.machines).some((machine) => machine.counters[name]?.limit === null);
  if (name === "r" || isRound)
    throw new AppError("config_invalid", `limits.${name}: the round is counted, but bounds nothing`, {
      hint: "limit the counter of the loop instead",
      detail: { key: `limits.${name}`, value: limit },
    });
}

function mapValues<From, To>(
  record: Readonly<Record<string, From>>,
  map: (value: From, name: string) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value, name)]));
}
