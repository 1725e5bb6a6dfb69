/** `mettle memory query RUN PATTERN`: prints observations in the order of writing. */
import { systemClock } from "../../lib/clock.ts";
import type { InputValues } from "../../lib/command-line/input-values.ts";
import { AppError } from "../../lib/errors.ts";
import {
  parsePattern,
  printObservation,
  type Observation,
  type ObservationPattern,
} from "../../journal/observation-line.ts";
import { openHomeObservations } from "../../journal/home-store.ts";
import type { Observations } from "../../journal/observations.ts";
import { findRun } from "../../run/find-run.ts";
import { withHost } from "../../run/host.ts";
import { safeLine } from "../../lib/safe-text.ts";
import type { CommandHandler } from "../command.ts";

export const run: CommandHandler = async (io, given) => {
  const round = wholeNumber(given, "round");
  const limit = wholeNumber(given, "limit");
  const pattern = parsePattern(given.need("pattern"), round ?? undefined);
  return withHost(io.cwd, async (host) => {
    const run = await findRun(host, given.need("run"));
    const store = await openHomeObservations(host.home, systemClock);
    try {
      const sessions = (await store.dialogues(run)).map(({ name }) => name);
      const query = { pattern, sessions: new Set(sessions), after: wholeNumber(given, "after") ?? 0, limit };
      const { observations, next } = await pageOf(store, query);
      const lines = observations.map((one) => safeLine(printObservation(one)));
      const rest = next === null ? [] : [`there are more: --after ${next}`];
      const none = `nothing matches; sessions of this run: ${sessions.join(", ") || "none"}`;
      const text = lines.length + rest.length === 0 ? none : [...lines, ...rest].join("\n");
      return { exit: 0, json: { run, sessions, observations, next }, text };
    } finally {
      await store.close();
    }
  });
};

interface PageQuery {
  readonly pattern: ObservationPattern;
  readonly sessions: ReadonlySet<string>;
  /** Id of the last observation of the previous page. */
  readonly after: number;
  /** null for all. */
  readonly limit: number | null;
}

interface Page {
  readonly observations: readonly Observation[];
  /** `after` of the next page; null at the end. */
  readonly next: number | null;
}

/** Reads in pieces, since the store may have many observations of other runs. */
async function pageOf(store: Observations, { pattern, sessions, after, limit }: PageQuery): Promise<Page> {
  const found: Observation[] = [];
  const piece = 1000;
  for (let last = after; ;) {
    const read = await store.query(pattern, { after: last, limit: piece });
    for (const one of read) {
      if (!sessions.has(one.session)) continue;
      if (limit !== null && found.length === limit)
        return { observations: found, next: found.at(-1)?.id ?? after };
      found.push(one);
    }
    if (read.length < piece) return { observations: found, next: null };
    last = read.at(-1)?.id ?? last;
  }
}

function wholeNumber(given: InputValues, name: string): number | null {
  const value = given.text(name);
  if (value === null) return null;
  if (/^\d{1,15}$/u.test(value)) return Number(value);
  throw new AppError("usage", `--${name} takes a whole number`, { hint: `--${name} 10` });
}
