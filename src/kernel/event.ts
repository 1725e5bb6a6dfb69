import { z } from "zod";

/** What the kernel reacts to. Time and ids arrive stamped by the journal (`stamp`), never made here. */
export const Item = z.object({ id: z.string(), hash: z.string() });

export const KernelEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("start"), stamp: z.string() }),
  z.object({
    type: z.literal("result"),
    key: z.string(),
    /** `WORD` or `WORD.hint`; for an ask the answer's name. */
    outcome: z.string(),
    /** Address of the payload, `sha256:…`; the kernel never opens it. */
    payload: z.string().optional(),
    /** Normalised failure signature, for counters with `same: true`. */
    signature: z.string().optional(),
    /** What an `each` that follows iterates over. */
    items: z.array(Item).optional(),
    stamp: z.string(),
  }),
  z.object({ type: z.literal("abort"), stamp: z.string() }),
]);
export type Item = z.infer<typeof Item>;
export type KernelEvent = z.infer<typeof KernelEvent>;
