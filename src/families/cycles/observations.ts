/** The dialogue of an open dispatch: what its agent may add and read, and nothing of another one (TDP-52 to 54). */
import { AppError } from "../../lib/errors.ts";
import { excerptOf } from "../../lib/text.ts";
import { parsePattern, printObservation, type Observation } from "../../journal/observation-line.ts";
import type { Observations } from "../../journal/observations.ts";
import type { DispatchCommand } from "../../kernel/command.ts";
import type { RunContext } from "../../run/context.ts";
import { findSpeaker } from "../../notation/modes.ts";
import { agentOf } from "./dispatch-line.ts";
import { replayedObservation } from "./replayed-observation.ts";
import { openStore } from "./store.ts";

/** Adds to the dialogue of the dispatch; who, where and when are the runtime's to say. */
export async function observe(
  context: RunContext,
  command: DispatchCommand,
  content: string,
): Promise<Observation> {
  const session = sessionOf(command);
  const agent = agentOf(context.protocol, command) ?? command.role;
  const said = { session, round: command.round, agent, content };
  const before = await replayedObservation(context, command, said);
  if (before !== null) return before;
  await context.session.observe(said);
  const at = context.session.view.observed.at(-1)?.at ?? "";
  return { id: 0, session, round: command.round, agent, at, content };
}

export interface Query {
  /** In the wire form, with `{current}` and `{n-1}`. */
  readonly pattern: string;
  /** Id of the last observation of the page before. */
  readonly after?: number;
  readonly limit?: number;
}

/** A part of what was asked for, in order of writing. */
export interface Page {
  readonly observations: readonly string[];
  /** What to ask on with as `after`; null at the end. */
  readonly next: number | null;
}

/** An answer holds no more than this, but one observation in any case; the rest is asked for with `after`. */
const maxBytes = 512 * 1024;
const maxLines = 1000;

export async function queryPage(
  context: RunContext,
  command: DispatchCommand,
  { limit = maxLines, ...asked }: Query,
): Promise<Page> {
  const found = await query(context, command, { ...asked, limit: limit + 1 });
  const observations: string[] = [];
  let bytes = 0;
  for (const observation of found) {
    const line = printObservation(observation);
    bytes += Buffer.byteLength(line);
    if (observations.length === limit || (bytes > maxBytes && observations.length > 0))
      return { observations, next: found[observations.length - 1]?.id ?? null };
    observations.push(line);
  }
  return { observations, next: null };
}

export async function query(
  context: RunContext,
  command: DispatchCommand,
  { pattern, after, limit }: Query,
): Promise<readonly Observation[]> {
  const own = sessionOf(command);
  const asked = parsePattern(pattern, command.round);
  const read = { ...asked, agent: asked.agent && (findSpeaker(asked.agent, "dptr") ?? asked.agent) };
  const store = await openStore(context);
  try {
    if (read.session !== null && read.session !== own) {
      const refused = await sessionError(store, read.session, own);
      const detail = excerptOf(`${refused.code}: ${pattern}`, 200);
      await context.session.record([{ type: "agent.denied", key: command.key, tool: "query", detail }]);
      throw refused;
    }
    const page = { ...(after === undefined ? {} : { after }), ...(limit === undefined ? {} : { limit }) };
    return await store.query({ ...read, session: own }, page);
  } finally {
    await store.close();
  }
}

async function sessionError(store: Observations, asked: string, own: string): Promise<AppError> {
  const hint = `ask for ${own}, or for *`;
  const isThere = (await store.dialogues()).some(({ name }) => name === asked);
  return isThere
    ? new AppError("foreign_session", `session ${asked} is not that of this dispatch`, { hint })
    : new AppError("unknown_session", `there is no session ${asked}`, { hint });
}

/** This round and the one before, for an agent that cannot ask. */
export async function observationsFor(context: RunContext, command: DispatchCommand): Promise<string> {
  const session = sessionOf(command);
  const rounds = await Promise.all(
    ["R{n-1}", "R{current}"].map((round) =>
      query(context, command, { pattern: `OBS[S${session},${round},*,*]` }),
    ),
  );
  return rounds.flat().map(printObservation).join("\n");
}

function sessionOf({ session, params }: DispatchCommand): string {
  if (session !== undefined && params.includes("S")) return session;
  throw new AppError("no_dispatch", "this dispatch has no dialogue", { hint: "report your decision" });
}
