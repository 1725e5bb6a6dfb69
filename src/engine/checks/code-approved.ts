/** Phase 9: the approved commit is still the one whose GREEN record passed. */
import { conclude, failed, passed } from "../../gates/check.ts";
import { readRef } from "../../git/refs.ts";
import { moveBranch, workBranch } from "../../run/branches.ts";
import { plainOutcomes, type Gate } from "../../family/gate.ts";
import { recordFor } from "./review-gates.ts";

export const codeApprovedGate: Gate = {
  outcomes: plainOutcomes,
  async check({ context }) {
    const commit = context.session.view.head.green ?? "";
    const record = recordFor(context, { purpose: "green", commit });
    const proven = record?.verdict === "pass";
    const branch = await readRef(context.repository, workBranch(context.run));
    if (branch === null) await moveBranch(context, workBranch(context.run), commit);
    const unmoved = branch === null || branch === commit;
    const checks = [
      proven ? passed("proof") : failed("proof", `commit ${commit} has no passing GREEN record`),
      unmoved
        ? passed("branch")
        : failed("branch", "the run's branch was moved; the approved commit is proved again"),
    ];
    return { verdict: conclude({ checks, findings: [] }), ...(record ? { proof: record.id } : {}) };
  },
};
