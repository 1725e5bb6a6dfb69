/** Who answers at this command line. An agent's own process tree never does (ORC-69, CORE-86). */
import { userInfo } from "node:os";
import { variable } from "../config/env.ts";
import { ancestorCarries } from "../process/ancestors.ts";
import type { By } from "../runtime/asks/answer.ts";
import { AppError } from "../lib/errors.ts";

const marker = "METTLE_DISPATCH";

export function person(): By {
  if (variable(marker) !== null || ancestorCarries(marker) === "found")
    throw new AppError("agent_cannot_approve", "this command was started by an agent of a run", {
      hint: "a person answers from a terminal of their own",
    });
  // A terminal shows that a person can be there; without a sandbox nothing keeps an agent from opening one.
  return { answeredBy: process.stdin.isTTY ? "tty" : "file", authenticated: false, who: userInfo().username };
}
