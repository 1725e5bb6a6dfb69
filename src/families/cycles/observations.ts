/** The dialogue of an open dispatch: its agent may add to it and read it, and no other dialogue (TDP-52 to 54). */
import { AppError } from "../../lib/errors.ts";
import { mask } from "../../lib/mask.ts";
import { excerptOf } from "../../lib/text.ts";
import { parsePattern, printObservation, type Observation } from "../../journal/observation-line.ts";
import type { Observations } from "../../journal/observations.ts";
import type { DispatchCommand } from "../../kernel/command.ts";
import type { RunContext } from "../../run/context.ts";
import { findSpeaker } from "../../notation/modes.ts";
import { agentOf } from "./dispatch-line.ts";
import { replayedObservation } from "./replayed-observation.ts";
import { openStore } from "./store.ts";

/** Adds to the dialogue of the dispatch; the runtime sets speaker, session and time. */
export async function observe(
  context: RunContext,
  command: DispatchCommand,
  text: string,
): Promise<Observation> {
  const content = mask(text, context.host.secrets);
  const session = sessionOf(command);
  const agent = agentOf(context.protocol, command) ?? command.role;
  const observation = { session, round: command.round, agent, content };
  const before = await replayedObservation(context, command, observation);
  if (before !== null) return before;
  await context.session.observe(observation);
  const at = context.session.view.observed.at(-1)?.at ?? "";
  return { id: 0, session, round: command.round, agent, at, content };
}

export interface Query {
  /** The pattern in wire form, with `{current}` and `{n-1}`. */
  readonly pattern: string;
  /** Id of the last observation of the previous page. */
  readonly after?: number;
  readonly limit?: number;
}

/** One page of the result, in order of writing. */
export interface ObservationPage {
  readonly observations: readonly string[];
  /** `after` of the next page; null at the end. */
  readonly next: number | null;
}

/** Limits of one page, which has at least one observation. */
const maxBytes = 512 * 1024;
const maxLines = 1000;

export async function queryPage(
  context: RunContext,
  command: DispatchCommand,
  { limit = maxLines, ...rest }: Query,
): Promise<ObservationPage> {
  const found = await query(context, command, { ...rest, limit: limit + 1 });
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
  const parsed = parsePattern(pattern, command.round);
  const read = { ...parsed, agent: parsed.agent && (findSpeaker(parsed.agent, "dptr") ?? parsed.agent) };
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

async function sessionError(store: Observations, wanted: string, own: string): Promise<AppError> {
  const hint = `ask for ${own}, or for *`;
  const isThere = (await store.dialogues()).some(({ name }) => name === wanted);
  return isThere
    ? new AppError("foreign_session", `session ${wanted} is not that of this dispatch`, { hint })
    : new AppError("unknown_session", `there is no session ${wanted}`, { hint });
}

/** The observations of this round and the previous one, for an agent that cannot query. */
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
