/** The commands for the keys that sign records in a shared store. */
import { argument, optional } from "../../lib/command-line/row.ts";
import type { MettleCommand } from "../command.ts";

export const keys: readonly MettleCommand[] = [
  {
    name: "keys list",
    summary: "list the keys that may sign records in the shared store",
    inputs: [],
    load: () => import("../keys/list.ts"),
  },
  {
    name: "keys show",
    summary: "print the public key of this host",
    inputs: [],
    load: () => import("../keys/show.ts"),
  },
  {
    name: "keys enrol",
    summary: "let a key sign records in the shared store",
    inputs: [
      argument("name", "the name of its worker, which `mettle verify` prints"),
      optional(
        argument(
          "file",
          "the public key, as `mettle keys show` prints it; - for standard input (default: that of this host)",
        ),
      ),
    ],
    load: () => import("../keys/enrol.ts"),
  },
  {
    name: "keys revoke",
    summary: "refuse a key for good, and every record that it signed",
    inputs: [argument("name", "the name of its worker")],
    load: () => import("../keys/revoke.ts"),
  },
];
