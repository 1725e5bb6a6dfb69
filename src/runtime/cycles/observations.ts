/** The dialogue of an open dispatch: what its agent may add and read, and nothing of another one (TDP-52 to 54). */
import { AppError } from "../../lib/errors.ts";
import { parsePattern, printObservation, type Observation } from "../../journal/observation-line.ts";
import { openObservations, type Observations } from "../../journal/observations.ts";
import type { DispatchCommand } from "../../kernel/command.ts";
import type { RunContext } from "../context.ts";
import { findSpeaker } from "../../protocol/wire/modes.ts";
import { agentOf } from "./dispatch-line.ts";

type Store = Pick<RunContext, "home" | "clock">;

export function openStore({ home, clock }: Store): Promise<Observations> {
  return openObservations({ home: home.root, clock });
}

/** Adds to the dialogue of the dispatch; who, where and when are the runtime's to say. */
export async function observe(
  context: RunContext,
  command: DispatchCommand,
  content: string,
): Promise<Observation> {
  const session = sessionOf(command);
  const agent = agentOf(context.protocol, command) ?? command.role;
  await context.session.observe({ session, round: command.round, agent, content });
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

export async function query(
  context: RunContext,
  command: DispatchCommand,
  { pattern, after, limit }: Query,
): Promise<readonly Observation[]> {
  const own = sessionOf(command);
  const asked = parsePattern(pattern, command.round);
  const read = { ...asked, agent: asked.agent && (findSpeaker(asked.agent, "dptr") ?? asked.agent) };
  if (read.session !== null && read.session !== own)
    throw new AppError("foreign_session", `session ${read.session} is not that of this dispatch`, {
      hint: `ask for ${own}, or for *`,
    });
  const store = await openStore(context);
  try {
    const page = { ...(after === undefined ? {} : { after }), ...(limit === undefined ? {} : { limit }) };
    return await store.query({ ...read, session: own }, page);
  } finally {
    await store.close();
  }
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
