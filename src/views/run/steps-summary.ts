/** The summary of a run of printed steps, from its plan: claims of agents do not count (ENV-31). */
import type { RunView } from "../../log/run-view.ts";
import { section } from "../gate/review-text.ts";
import { safeLine } from "../../lib/safe-text.ts";
import { spentText } from "./spent-text.ts";
import { warningsOf } from "../gate/warnings.ts";

export function stepsSummary(view: RunView): string {
  const { run, started } = view;
  return [
    ["TLDR", `Task: ${safeLine(started?.task ?? "")}`].join("\n"),
    section("The plan shows", planFindings(view)),
    section("Warnings", warningsOf(view)),
    [`Cost: ${spentText(view)}`, `Log: mettle log ${run}`].join("\n"),
    lastLine(view),
  ].join("\n\n");
}

/** What the gate of each finished piece of work found in the plan. */
function planFindings({ judged }: RunView): readonly string[] {
  return judged
    .filter(({ verdict }) => verdict === "pass")
    .flatMap(({ findings }) => findings.filter((one) => one.startsWith("plan: ")))
    .map((one) => one.slice("plan: ".length));
}

function lastLine(view: RunView): string {
  const { started, ended } = view;
  const name = (started?.steps?.protocol ?? "steps").toUpperCase();
  if (ended?.outcome !== "complete")
    return `✗ NOT DONE: ${safeLine(ended?.reason ?? "the run has not ended")}`;
  const isVerified = !planFindings(view).some((line) => line.includes("UNVERIFIED"));
  return `✓ ${name} COMPLETE${isVerified ? "" : ", UNVERIFIED"}`;
}
