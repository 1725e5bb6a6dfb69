/** Schema and use of a decision's payload, by the name in a protocol's `payload` (docs/protocol.md). */
import type * as z from "zod";
import type { Settlement } from "./settlement.ts";

export interface PayloadKind {
  /** It has no transforms, and optional fields allow null, because agents answer by JSON Schema. */
  readonly schema: z.ZodType;
  /** Extracts what the run uses from a checked payload; default nothing. */
  readonly deliver?: (payload: unknown) => Delivery;
}

export interface Delivery extends Pick<Settlement, "items" | "list"> {
  /** Content of the run's document with the payload's name. */
  readonly document?: unknown;
}

/** Name -> kind. */
export type PayloadKinds = Readonly<Record<string, PayloadKind>>;
