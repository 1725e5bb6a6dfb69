/** What `mettle status` says of the plans of the repository. Loaded only where there are any. */
import type { Repository } from "../git/repository.ts";
import { openGatesText, listOpenGates } from "../plans/gates/open-gates.ts";
import { unverifiedMerges, unverifiedText } from "../plans/merge/unverified.ts";

export async function planStatus(repository: Repository) {
  const [gates, unverified] = [await listOpenGates(repository), await unverifiedMerges(repository)];
  return { json: { gates, unverified }, texts: [...openGatesText(gates), ...unverifiedText(unverified)] };
}
