/** The segments of a task, and the names of their specialists (ENV-85). */
import * as z from "zod";
import { canonicalJson, sha256 } from "../../lib/hash.ts";
import type { Delivery } from "../../run/payload-kind.ts";

export const SegmentsPayload = z.strictObject({
  segments: z
    .array(
      z.strictObject({
        specialist: z.string().describe("an agent of this repository for the area, else surveyor"),
        requirements: z.string().describe("all requirements of this segment"),
      }),
    )
    .min(1),
  /** Whether the task is to find a bug. */
  bug: z.boolean(),
});
export type SegmentsPayload = z.infer<typeof SegmentsPayload>;

export interface Segment {
  readonly agent: string;
  readonly requirements: string;
}

/** A specialist with more than one segment is numbered: `backend_1`, `backend_2`. */
export function segmentsOf({ segments }: SegmentsPayload): readonly Segment[] {
  return segments.map(({ specialist, requirements }, index) => {
    const isOwn = (other: { readonly specialist: string }): boolean => other.specialist === specialist;
    const count = segments.filter(isOwn).length;
    const nth = segments.slice(0, index + 1).filter(isOwn).length;
    return { agent: count === 1 ? specialist : `${specialist}_${nth}`, requirements };
  });
}

/** Changes if a specialist has to survey again. */
export function segmentHash(requirements: string, again: object | null): string {
  return sha256(canonicalJson({ requirements, ...(again === null ? {} : { again }) }));
}

/** One item per specialist. */
export function segmentItems(payload: unknown): Delivery {
  const segments = segmentsOf(SegmentsPayload.parse(payload));
  return {
    items: segments.map(({ agent, requirements }) => ({ id: agent, hash: segmentHash(requirements, null) })),
  };
}
