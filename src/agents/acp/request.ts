/** The input of the caller, and its answer to a probe. */
import * as z from "zod";
import type { AgentSpec } from "../agent.ts";

export interface AcpTurn extends Pick<AgentSpec, "prompt" | "tools" | "conversation" | "mcp"> {
  /** File that maps our conversation ids to the agent's session ids. */
  readonly sessions: string;
}

export interface AcpRequest {
  /** The agent's program and its arguments. */
  readonly run: readonly [string, ...string[]];
  readonly cwd: string;
  /** Id of the login method to request; null: none. */
  readonly login: string | null;
  /** Null: only probe the agent. */
  readonly turn: AcpTurn | null;
}

/** The text that the caller prints for a probe, as JSON. */
export const ProbeResult = z.object({ version: z.string(), remembers: z.boolean() });
export type ProbeResult = z.infer<typeof ProbeResult>;
