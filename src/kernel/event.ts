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
    /** Which list `items` is; without it they are those of the next `each`. */
    list: z.string().optional(),
    stamp: z.string(),
  }),
  /** Something that `events` of a machine may handle, raised from outside the run. */
  z.object({
    type: z.literal("signal"),
    event: z.string(),
    frame: z.string().optional(),
    /** What is at work is stopped for it; else it waits until nothing is. */
    interrupts: z.boolean().optional(),
    /** What the list of this name holds from now on. */
    items: z.array(Item).optional(),
    list: z.string().optional(),
    stamp: z.string(),
  }),
  /** Of one frame, or of the run. */
  z.object({ type: z.literal("abort"), frame: z.string().optional(), stamp: z.string() }),
]);
export type Item = z.infer<typeof Item>;
export type KernelEvent = z.infer<typeof KernelEvent>;
