/** Who answers in a session: the person at it, as far as the program around it can be believed. */
import { userInfo } from "node:os";
import type { By } from "../runtime/asks/answer.ts";

export function typedHere(): By {
  return { answeredBy: "session", authenticated: false, who: userInfo().username };
}
