/** Parts of the project's own test command that no proof executes. */
import { acceptanceHint, alsoRunsText } from "../execute/other-commands.ts";
import { otherCommands } from "../execute/test-setup.ts";
import type { CheckoutCause, BaseContext } from "./cause.ts";

export async function otherParts({ base, packages, output }: BaseContext): Promise<readonly CheckoutCause[]> {
  const all = await Promise.all(packages.map(({ prefix }) => otherCommands(base, prefix, null)));
  return all.flat().flatMap((command): readonly CheckoutCause[] => {
    if (!output.includes(alsoRunsText(command))) return [];
    return [{ what: alsoRunsText(command), help: acceptanceHint(command), isMentioned: true }];
  });
}
