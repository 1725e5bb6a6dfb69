/** What the payload of a decision must be, and what becomes of it, by the name that a protocol's `payload` gives (docs/protocol.md). */
import type { z } from "zod";
import type { Settlement } from "./settlement.ts";

export interface PayloadKind {
  /** For agents that answer by JSON Schema it has no transforms; what may be missing may be null. */
  readonly schema: z.ZodType;
  /** What the run takes from a payload that was reported and checked; default nothing. */
  readonly deliver?: (payload: unknown) => Delivered;
}

export interface Delivered extends Pick<Settlement, "items" | "list"> {
  /** Becomes the run's document of the payload's name. */
  readonly document?: unknown;
}

/** Name -> kind. */
export type PayloadKinds = Readonly<Record<string, PayloadKind>>;
