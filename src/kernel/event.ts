import * as z from "zod";

/** The kernel's input events. The journal stamps them with time and ids (`stamp`); the kernel makes neither. */
export const Item = z.object({ id: z.string(), hash: z.string() });

export const KernelEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("start"), stamp: z.string() }),
  z.object({
    type: z.literal("result"),
    key: z.string(),
    /** `WORD` or `WORD.hint`; for an ask, the name of the answer. */
    outcome: z.string(),
    /** Address of the payload, `sha256:…`; the kernel never opens it. */
    payload: z.string().optional(),
    /** Normalised failure signature, for counters with `same: true`. */
    signature: z.string().optional(),
    /** The items of a later `each`. */
    items: z.array(Item).optional(),
    /** Name of the list `items`; without it the next `each` takes them. */
    list: z.string().optional(),
    stamp: z.string(),
  }),
  /** An event from outside the run, for the handlers in `events` of a machine. */
  z.object({
    type: z.literal("signal"),
    event: z.string(),
    frame: z.string().optional(),
    /** Stops running work; otherwise the signal waits until none runs. */
    interrupts: z.boolean().optional(),
    /** Replaces the items of `list`. */
    items: z.array(Item).optional(),
    list: z.string().optional(),
    stamp: z.string(),
  }),
  /** Aborts one frame, or without `frame` the run. */
  z.object({ type: z.literal("abort"), frame: z.string().optional(), stamp: z.string() }),
]);
export type Item = z.infer<typeof Item>;
export type KernelEvent = z.infer<typeof KernelEvent>;
