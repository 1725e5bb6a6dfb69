/** What a reviewer of tests, implementation or the whole plan found (TDP-23, TDP-30). */
import { z } from "zod";

export const FindingsPayload = z.object({ findings: z.array(z.string().trim().min(1)).default([]) });
export type FindingsPayload = z.infer<typeof FindingsPayload>;
