/** All commands of `mettle`, in the order of help. */
import { flag, type CommandTable } from "../lib/command-line/row.ts";
import type { MettleCommand } from "./command.ts";
import { keys } from "./table/keys.ts";
import { machine } from "./table/machine.ts";
import { people } from "./table/people.ts";
import { queues } from "./table/queues.ts";
import { proof } from "./table/proof.ts";
import { runs } from "./table/runs.ts";
import { memory, protocols } from "./table/texts.ts";

export const program: CommandTable<MettleCommand> = {
  name: "mettle",
  readers: "people",
  rows: [...runs, ...proof, ...protocols, ...memory, ...keys, ...people, ...queues, ...machine],
  everywhere: [
    flag("json", "one JSON object on stdout and nothing else"),
    flag("debug", "show stack traces"),
  ],
  groups: {
    protocol: "list, show, check or draw protocols",
    memory: "show, check or search the memory of a project",
    queues: "list or limit the queues of workers",
    people: "say who may decide what",
    keys: "list, show, enrol or revoke the keys that sign records",
  },
};
