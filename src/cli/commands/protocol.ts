/** `mettle protocol`: one file for each action, loaded only when it is called. */
import { AppError } from "../../lib/errors.ts";
import { nearest } from "../../lib/nearest.ts";
import type { CliCommand } from "../command.ts";

type Run = CliCommand["run"];

const actions: Readonly<Record<string, () => Promise<Run>>> = {
  list: async () => (await import("../protocol/list.ts")).list,
  show: async () => (await import("../protocol/show.ts")).show,
  check: async () => (await import("../protocol/check.ts")).check,
  graph: async () => (await import("../protocol/graph.ts")).graph,
  legend: async () => (await import("../protocol/legend.ts")).legend,
  schema: async () => (await import("../protocol/schema.ts")).schema,
  render: async () => (await import("../protocol/render.ts")).render,
};

export const command: CliCommand = {
  define: (line) =>
    line
      .argument("<action>", Object.keys(actions).join(", "))
      .argument("[name]", "a protocol's name; for check also a file")
      .argument("[part]", "schema graph: one type; render: the node")
      .option("--input <file>", "render: the node's input, as JSON")
      .option("--memory <file>", "render: what the node remembers (default: nothing)"),
  run: async (io, [action = "", ...args], options) => {
    const load = Object.hasOwn(actions, action) ? actions[action] : undefined;
    if (load === undefined) throw unknownAction(action);
    assertTaken(action, args, options);
    return (await load())(io, args, options);
  },
};

/** What only some actions take is refused by the others. */
function assertTaken(
  action: string,
  args: readonly string[],
  options: Readonly<Record<string, unknown>>,
): void {
  const [, part] = args;
  if (part !== undefined && action !== "schema" && action !== "render")
    throw new AppError("usage", `protocol ${action} takes no second name: ${part}`, {
      hint: `mettle protocol ${action} NAME`,
    });
  const option = ["input", "memory"].find((one) => options[one] !== undefined);
  if (option !== undefined && action !== "render")
    throw new AppError("usage", `protocol ${action} takes no --${option}`, {
      hint: "mettle protocol render graph NODE --input FILE",
    });
}

function unknownAction(action: string): AppError {
  const near = nearest(action, Object.keys(actions));
  return new AppError("usage", `protocol cannot ${action}`, {
    hint:
      near === null
        ? `mettle protocol ${Object.keys(actions).join("|")} [NAME]`
        : `did you mean \`mettle protocol ${near}\`?`,
  });
}
