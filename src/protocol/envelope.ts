/** The part of a graph's exit that routing sees: the address of its payload, never the payload itself (V3-23). */
import * as z from "zod";
import { hintOf, wordOf } from "./routes.ts";

export const Envelope = z.object({
  /** The exit in capitals. */
  type: z.string(),
  severity: z.enum(["INFO", "WARNING", "BLOCKER"]),
  route_hint: z.string(),
  payload_ref: z.string().nullable(),
  /** The children to start. */
  items: z.array(z.object({ id: z.string(), hash: z.string() })).optional(),
});
export type Envelope = z.infer<typeof Envelope>;
export type Severity = Envelope["severity"];

/** Exit -> severity and default hint; a hint derived from the payload replaces it. */
const exits: Readonly<Record<string, readonly [Severity, string]>> = {
  InitWork: ["INFO", "start_work"],
  ClarificationNeeded: ["BLOCKER", "ask_parent"],
  TestsReady: ["INFO", "release_impl"],
  InvalidScaffold: ["BLOCKER", "fix_scaffold"],
  Approved: ["INFO", "merge"],
  MoreTests: ["WARNING", "write_tests"],
  Reject: ["BLOCKER", "escalate"],
  TestsPassed: ["INFO", "review"],
  RequestRetry: ["WARNING", "next_attempt"],
  BlockedDependency: ["BLOCKER", "check_sibling_exports"],
  SpecAmbiguity: ["BLOCKER", "settle_spec"],
  Stuck: ["BLOCKER", "escalate"],
  TI: ["WARNING", "check_test"],
  MergeComplete: ["INFO", "publish"],
  MergeRejected: ["WARNING", "fix_impl"],
  RebaseClean: ["INFO", "resume"],
  RebaseAdapted: ["INFO", "run_tests"],
  RebaseConflict: ["BLOCKER", "fix_scaffold"],
};

interface ExitResult {
  /** `WORD` or `WORD.hint`, as in a `result`. */
  readonly outcome: string;
  readonly payload?: string | undefined;
  readonly items?: Envelope["items"];
}

/** Null for an outcome that is not a node's exit: a gate's verdict, a person's answer, an error. */
export function envelopeOf({ outcome, payload, items }: ExitResult): Envelope | null {
  const word = wordOf(outcome);
  const found = Object.hasOwn(exits, word) ? exits[word] : undefined;
  if (!found) return null;
  const [severity, hint] = found;
  const envelope: Envelope = {
    type: word.replaceAll(/(?<=[a-z])(?=[A-Z])/gu, "_").toUpperCase(),
    severity,
    route_hint: hintOf(outcome) ?? hint,
    payload_ref: payload ?? null,
  };
  return items === undefined ? envelope : { ...envelope, items };
}
