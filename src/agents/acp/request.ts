/** What the adapter tells the caller on its standard input, and what the caller says of an agent that is only looked at. */
import { z } from "zod";
import type { AgentSpec } from "../agent.ts";

export interface Turn extends Pick<AgentSpec, "prompt" | "tools" | "conversation" | "mcp"> {
  /** File in which the agent's own names of our conversations are kept. */
  readonly sessions: string;
}

export interface AcpRequest {
  /** The agent's program and its arguments. */
  readonly run: readonly [string, ...string[]];
  readonly cwd: string;
  /** Id of the way to log in that the agent is asked to take; null: none. */
  readonly login: string | null;
  /** Null: only who it is and what it can. */
  readonly turn: Turn | null;
}

/** The one line of text that a caller without a turn prints. */
export const ProbeResult = z.object({ version: z.string(), remembers: z.boolean() });
export type ProbeResult = z.infer<typeof ProbeResult>;
