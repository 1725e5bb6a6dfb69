import { AppError } from "../../../lib/errors.ts";
import type { Gate } from "../check.ts";

export const nodeRedGate: Gate = {
  outcomes: ["pass", "fail", "inconclusive"],
  check: () =>
    Promise.reject(new AppError("internal", "this gate is being built", { hint: "use another protocol" })),
};
