/** `mettle people allow` and `deny`: what a person may decide, by repository and gate. */
import type { InputValues } from "../../lib/command-line/input-values.ts";
import type { CliResult, Io } from "../command.ts";
import { assertName, changePeople } from "./change.ts";

export function setRule(io: Io, given: InputValues, allowed: boolean): Promise<CliResult> {
  const person = given.need("name");
  if (person !== "*") assertName(person);
  const [repository, gate] = [given.text("repository") ?? "*", given.text("gate") ?? "*"];
  const rule = { person, repository, gate, allowed };
  const isSame = (other: typeof rule) =>
    other.person === person && other.repository === repository && other.gate === gate;
  return changePeople(io, {
    after: (rules) => [...rules.filter((other) => !isSame(other)), rule],
    change: (people, by) => people.set(rule, by),
    result: {
      json: rule,
      text: `${person} ${allowed ? "may" : "may not"} decide ${gate} in ${repository}`,
    },
  });
}
