/** Parts of the project's own test command that no proof executes. */
import { acceptanceHint, alsoRunsText } from "../execute/other-commands.ts";
import { otherCommands } from "../execute/test-setup.ts";
import type { Cause, BaseContext } from "./cause.ts";

export async function otherParts({ base, packages, output }: BaseContext): Promise<readonly Cause[]> {
  const all = await Promise.all(packages.map(({ prefix }) => otherCommands(base, prefix, null)));
  return all.flat().flatMap((command): readonly Cause[] => {
    if (!output.includes(alsoRunsText(command))) return [];
    return [{ what: alsoRunsText(command), help: acceptanceHint(command), isMentioned: true }];
  });
}
