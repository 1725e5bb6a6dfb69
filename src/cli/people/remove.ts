/** `mettle people remove NAME`: ends the token and the rules of a person. */
import type { CommandHandler } from "../command.ts";
import { changePeople } from "./change.ts";

export const run: CommandHandler = (io, given) => {
  const name = given.need("name");
  return changePeople(io, {
    after: (rules) => rules.filter(({ person }) => person !== name),
    change: (people) => people.remove(name),
    result: { json: { name, removed: true }, text: `removed ${name}: no token, no rules` },
  });
};
