/** The state of a run as people see it, as a hash: what they do to the whole run is bound to it (SEE-06). Pure. */
import { canonicalJson, sha256 } from "../../lib/hash.ts";
import type { RunStatus } from "./status.ts";

/** Another one after the run began to wait, went on or ended; the same while it works. */
export function shownState({ status, waiting }: Pick<RunStatus, "status" | "waiting">): string {
  return sha256(canonicalJson([status, waiting.map(({ key, hash }) => [key, hash ?? ""])]));
}
