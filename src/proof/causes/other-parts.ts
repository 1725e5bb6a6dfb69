/** Parts of the project's own test command that no proof executes. */
import { accepting, alsoRuns } from "../execute/other-commands.ts";
import { otherCommands } from "../execute/surroundings.ts";
import type { Cause, Seen } from "./cause.ts";

export async function otherParts({ base, packages, output }: Seen): Promise<readonly Cause[]> {
  const all = await Promise.all(packages.map(({ prefix }) => otherCommands(base, prefix, null)));
  return all.flat().flatMap((command): readonly Cause[] => {
    if (!output.includes(alsoRuns(command))) return [];
    return [{ what: alsoRuns(command), help: accepting(command), isSaid: true }];
  });
}
