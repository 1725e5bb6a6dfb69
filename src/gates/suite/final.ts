/** The final verification: the whole suite again, on exactly the commit that a person approved. */
import { conclude, failed, passed } from "../check.ts";
import { judgeSuite, suiteFindings, suiteSignature, type SuiteFacts } from "./suite-checks.ts";
import type { Verdict } from "../verdict.ts";

export interface FinalFacts extends SuiteFacts {
  readonly base: string;
  readonly head: string;
  /** The approved commit. */
  readonly approved: string;
}

export function judgeFinal(facts: FinalFacts): Verdict {
  const checks = [commit(facts), ...judgeSuite(facts)];
  return conclude({ checks, findings: suiteFindings(facts), signature: suiteSignature(checks, facts) });
}

function commit({ base, head, approved }: FinalFacts) {
  if (head !== approved) return failed("commit", `${head} is not the approved commit ${approved}`);
  return head === base
    ? failed("commit", "the commit is the base itself: nothing was built")
    : passed("commit");
}
