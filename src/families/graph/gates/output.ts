/** Findings shown beside the checks of a run. */
import type { Finding } from "../../../gates/verdict.ts";
import type { BuildResult } from "../../../proof/execute/build.ts";

const shownLines = 40;

/** The last lines of a program's output. */
export function outputFinding(output: string): readonly Finding[] {
  const lines = output.trimEnd().split("\n").slice(-shownLines);
  return output.trim() === "" ? [] : [{ code: "output", severity: "finding", message: lines.join("\n") }];
}

export function noBuild({ commands }: Pick<BuildResult, "commands">): readonly Finding[] {
  if (commands.length > 0) return [];
  return [{ code: "build", severity: "finding", message: "not checked: the project has no build" }];
}
