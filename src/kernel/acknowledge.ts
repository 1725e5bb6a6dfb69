/** Which ends and questions of children their parent has handled, since it may be elsewhere when they occur. */
import type { Cause } from "./command.ts";
import type { Frame } from "./state.ts";

/** Marks children as judged when a command is issued, or an ask answered, with causes from them. */
export function acknowledge(frame: Frame, causes: readonly Cause[]): void {
  for (const child of Object.values(frame.children).flat())
    if (causes.some((cause) => cause.path === child.frame && cause.outcome === (child.outcome ?? "asked")))
      child.judged = true;
}
