/** `mettle people list`: lists the persons who have a token, and the rules of what people may decide. */
import { withHost } from "../../run/host.ts";
import type { CommandHandler } from "../command.ts";

export const run: CommandHandler = (io) =>
  withHost(io.cwd, async ({ people, permits }) => {
    const [you, persons, rules] = [await permits.identify(), await people.list(), await people.rules()];
    const json = {
      you: you.who,
      you_by: you.as,
      people: persons.map(({ name, added }) => ({ name, added_by: added.by, added_at: added.at })),
      rules: rules.map(({ set, ...rule }) => ({ ...rule, set_by: set.by, set_at: set.at })),
    };
    const lines = [
      `you are ${you.who}, by ${you.as === "token" ? "a token" : "the user of the store"}`,
      ...persons.map(({ name, added }) => `${name}  has a token, added by ${added.by} at ${added.at}`),
      ...rules.map(
        ({ person, repository, gate, allowed, set }) =>
          `${allowed ? "allow" : "deny "}  ${person}  repository ${repository}  gate ${gate}  (${set.by} at ${set.at})`,
      ),
      ...(rules.length === 0 ? ["there is no rule: everybody may decide everything"] : []),
    ];
    return { exit: 0, json, text: lines.join("\n") };
  });
