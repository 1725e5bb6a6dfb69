/** `budget` of `mettle.yaml`: what agents may use in a run, in a role of it, and on a day in all runs of this user (SEE-11). */
import * as z from "zod";
import { Duration, Milliseconds } from "./durations.ts";

const caps = {
  usd: z.number().positive("more than 0").optional(),
  tokens: z.int().positive("more than 0").optional(),
  turns: z.int().positive("more than 0").optional(),
  time: Duration.optional(),
};
const CapsFile = z.strictObject(caps).transform(inMemory);

/** Null: no cap. `turns` are calls of an agent's program; runs of earlier versions have none. */
const Caps = z.strictObject({
  costUsd: z.number().positive().nullable().default(null),
  tokens: z.int().positive().nullable().default(null),
  turns: z.int().positive().nullish(),
  timeMs: Milliseconds.nullable().default(null),
});
export type Caps = z.infer<typeof Caps>;

export const Budget = Caps.extend({
  /** Role -> its caps within the run. */
  roles: z.record(z.string(), Caps).optional(),
  day: Caps.optional(),
});

export function budgetFile(role: z.ZodString) {
  return z
    .strictObject({ ...caps, roles: z.record(role, CapsFile).optional(), day: CapsFile.optional() })
    .transform(({ roles, day, ...run }) => ({
      ...inMemory(run),
      ...(roles !== undefined && { roles }),
      ...(day !== undefined && { day }),
    }));
}

function inMemory({ usd, tokens, turns, time }: z.infer<z.ZodObject<typeof caps>>): Caps {
  return { costUsd: usd ?? null, tokens: tokens ?? null, turns: turns ?? null, timeMs: time ?? null };
}
