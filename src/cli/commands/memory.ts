/** `mettle memory`: one file for each action, loaded only when it is called. */
import { AppError } from "../../lib/errors.ts";
import { nearest } from "../../lib/nearest.ts";
import type { CliCommand } from "../command.ts";

type Run = CliCommand["run"];

const actions: Readonly<Record<string, () => Promise<Run>>> = {
  show: async () => (await import("../memory/show.ts")).show,
  check: async () => (await import("../memory/check.ts")).check,
  query: async () => (await import("../memory/query.ts")).query,
  import: async () => (await import("../memory/import.ts")).importFile,
  export: async () => (await import("../memory/export.ts")).exportFile,
};

export const command: CliCommand = {
  define: (line) =>
    line
      .argument("<action>", Object.keys(actions).join(", "))
      .argument(
        "[arguments...]",
        "show: σ₂, σ₂.tech_stack or σ₁:R1 (s2.tech_stack); query: RUN PATTERN; import, export: FILE",
      )
      .option("--protocol <name>", "check: riper has σ₆, dptr has not (default: whether its file is there)")
      .option("--round <number>", "query: what {current} stands for")
      .option("--after <id>", "query: only what was written after this observation")
      .option("--limit <number>", "query: at most this many")
      .option("--force", "export: replace FILE"),
  run: async (io, [action = "", ...args], options) => {
    const load = Object.hasOwn(actions, action) ? actions[action] : undefined;
    if (load === undefined) throw unknownAction(action);
    return (await load())(io, args, options);
  },
};

function unknownAction(action: string): AppError {
  const near = nearest(action, Object.keys(actions));
  return new AppError("usage", `memory cannot ${action}`, {
    hint:
      near === null
        ? `mettle memory ${Object.keys(actions).join("|")}`
        : `did you mean \`mettle memory ${near}\`?`,
  });
}
