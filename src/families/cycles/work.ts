/** The start commit of QA and DE in a phase of a cycle, and the kind of their commit (TDP-57). */
import { AppError } from "../../lib/errors.ts";
import type { DispatchCommand } from "../../kernel/command.ts";
import type { EventOf } from "../../log/run-event.ts";
import type { RunContext } from "../../run/context.ts";
import { workFrom, type Work } from "../../family/work.ts";
import { cycleBase, cycleNumber } from "./cycle.ts";

type Kind = EventOf<"commit.made">["kind"];

/** Null outside the cycles, and for a role that writes nothing. */
export function cycleWork(
  context: Pick<RunContext, "session" | "started">,
  command: DispatchCommand,
): Work | null {
  const cycle = cycleNumber(context, command);
  const kind = kinds[command.phase ?? ""];
  if (cycle === null || kind === undefined) return null;
  const { head } = context.session.view;
  const base = cycleBase(context);
  const from = (commit: string): Work => workFrom(commit, { kind, of: { cycle } });
  switch (kind) {
    case "red":
      // An answer to a dispute corrects the tests that this cycle accepted.
      return from(command.reports.includes("TA") ? accepted(head.red) : base);
    case "green":
      return from(stubbed(context, accepted(head.red)));
    default:
      return from(accepted(head.branch));
  }
}

const kinds: Readonly<Record<string, Kind>> = {
  ℜ: "red",
  ℜᴳ: "green",
  ℜᶠᵗ: "test_refactor",
  ℜᶠⁱ: "impl_refactor",
};

/** Includes the stubs that RED needed, which have their own commit (TDP-33). */
function stubbed({ session }: Pick<RunContext, "session">, red: string): string {
  const stubs = session.view.commits.findLast(({ kind, parent }) => kind === "other" && parent === red);
  return stubs?.commit ?? red;
}

function accepted(commit: string | null): string {
  if (commit !== null) return commit;
  throw new AppError("internal", "a phase of a cycle began before the one before it was accepted", {
    hint: "this is a fault of Mettle; please report it with the run's log",
  });
}
