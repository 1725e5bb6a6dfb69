/** Changes of people and rules: only by a person who may decide `people`, and never so that this person may not any more. */
import { requirePerson } from "../../channel/person.ts";
import { isPermitted, type People, type Rule } from "../../journal/people/people.ts";
import { AppError } from "../../lib/errors.ts";
import { withHost } from "../../run/host.ts";
import type { CliResult, Io } from "../command.ts";

/** The gate of these commands. */
export const peopleGate = "people";

const validName = /^[\p{L}\p{N}_][\p{L}\p{N}_.@-]{0,62}$/u;

/** @throws usage */
export function assertName(name: string): void {
  if (validName.test(name)) return;
  throw new AppError("usage", `${JSON.stringify(name)} is no name of a person`, {
    hint: "Use up to 63 letters, digits, dots, dashes, underscores and @, beginning with a letter or digit.",
  });
}

interface Change {
  /** The rules as they will be. */
  readonly after: (rules: readonly Rule[]) => readonly Rule[];
  readonly change: (people: People, by: string) => Promise<void>;
  readonly result: Pick<CliResult, "json" | "text">;
}

export async function changePeople(io: Io, { after, change, result }: Change): Promise<CliResult> {
  requirePerson();
  return withHost(io.cwd, async ({ people, permits }) => {
    const { who } = await permits.assert([peopleGate]);
    const act = { person: who, repository: permits.repository, gate: peopleGate };
    if (!isPermitted(after(await people.rules()), act))
      throw new AppError("usage", `after this ${who} could change no rules any more`, {
        hint: `First \`mettle people allow ${who}\`: as soon as one rule allows something, everything else is denied.`,
      });
    await change(people, who);
    return { exit: 0, ...result };
  });
}
