/** What came of the turns of a dispatch: events of the journal. */
import * as z from "zod";

export const agentTurns = [
  /** The agent's output of one turn, by address, masked. */
  z.object({ type: z.literal("agent.said"), key: z.string(), ref: z.string(), bytes: z.number() }),
  z.object({
    type: z.literal("agent.used"),
    key: z.string(),
    context: z.number().nullable(),
    tokens: z.number().nullable(),
    costUsd: z.number().nullable(),
    /** Calls of the agent's program; missing in earlier versions, which count as one. */
    turns: z.number().optional(),
  }),
  z.object({ type: z.literal("agent.nudged"), key: z.string(), nudge: z.number() }),
] as const;
