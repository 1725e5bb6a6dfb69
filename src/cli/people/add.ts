/** `mettle people add NAME`: prints a new token for a person, once. The store keeps its hash. */
import { requirePerson } from "../../channel/person.ts";
import { newToken } from "../../lib/ids.ts";
import { tokenHash } from "../../run/people/decide.ts";
import { withHost } from "../../run/host.ts";
import type { CommandHandler } from "../command.ts";
import { assertName, peopleGate } from "./change.ts";

export const run: CommandHandler = async (io, given) => {
  requirePerson();
  const name = given.need("name");
  assertName(name);
  return withHost(io.cwd, async ({ people, permits }) => {
    const { who } = await permits.assert([peopleGate]);
    const token = newToken();
    await people.add(name, tokenHash(token), who);
    io.warn(
      `note: this is the only time that the token of ${name} is shown; ${name} sets METTLE_PERSON_TOKEN to it`,
    );
    return { exit: 0, json: { name, token }, text: token, isData: true };
  });
};
