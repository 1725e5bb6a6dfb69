/** What an agent wanted to do and could not: events of the journal. */
import * as z from "zod";

export const agentRefusals = [
  /** A tool call that the agent's own rules refused; only the first ones are recorded. */
  z.object({ type: z.literal("agent.denied"), key: z.string(), tool: z.string(), detail: z.string() }),
  /** Requests of a confined agent to one destination (PRV-21); host `others` and port 0 for those beyond the first 50. */
  z.object({
    type: z.literal("network.refused"),
    key: z.string(),
    host: z.string(),
    port: z.number(),
    count: z.number(),
  }),
] as const;
