/** Which ends and questions of children their parent has taken note of, where it may have been led away before it did. */
import type { Cause } from "./command.ts";
import type { Frame } from "./state.ts";

/** A command was issued with these causes, or an ask was answered that had them. */
export function hear(frame: Frame, causes: readonly Cause[]): void {
  for (const child of Object.values(frame.children).flat())
    if (causes.some((cause) => cause.path === child.frame && cause.outcome === (child.outcome ?? "asked")))
      child.judged = true;
}
