/** What a test gave when it last ran. */
import type { LastResult } from "./last-results.ts";
import { Mark } from "./mark.tsx";

export function TestMark({ result }: { readonly result: LastResult | undefined }) {
  if (result === undefined) return <Mark of="queued">not run</Mark>;
  if (result === "s") return <Mark of="cancelled">skipped</Mark>;
  return result === "p" ? <Mark of="pass" /> : <Mark of="failed" />;
}
