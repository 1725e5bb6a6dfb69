import { withHost } from "../../runtime/host.ts";
import { readTrigger } from "../../runtime/trigger.ts";
import { startRun } from "../../runtime/start-run.ts";
import { AppError } from "../../lib/errors.ts";
import { withRunners } from "../choose-runner.ts";
import type { CliCommand } from "../command.ts";
import { driveRun } from "../drive-run.ts";

export const command: CliCommand = {
  define: (line) =>
    line
      .argument("<task>", "what to build, e.g. '@orchestrate \"Build a login page\"'")
      .option(
        "--protocol <name>",
        "protocol to follow; the keyword @orchestrate at the start of the task names it too",
      )
      .option("--agent <agent...>", "AGENT for all roles, or ROLE=AGENT; e.g. scripted:cassette.yaml")
      .option("--approve <gates>", "approve gates beforehand: plan, code, or plan,code")
      .option("--land", "take a proven result over into the current branch"),

  async run(io, [task = ""], options) {
    const asked = typeof options["protocol"] === "string" ? options["protocol"] : null;
    const trigger = readTrigger(task, asked);
    if (trigger.hint) io.warn(`hint: ${trigger.hint}`);
    return withHost(io.cwd, async (host) => {
      const started = await withRunners(io, host.repository.root, () =>
        startRun(host, {
          task: trigger.task,
          protocol: trigger.protocol,
          agents: agentsOf(options["agent"]),
          preapproved: gatesOf(options["approve"]),
          demo: false,
        }),
      );
      if (started.dirty) io.warn("note: uncommitted changes are not included; the run starts from HEAD");
      if (started.detached) io.warn("note: HEAD is detached; the run starts from this commit");
      if (started.note !== null) io.warn(`note: ${started.note}`);
      const result = await driveRun({ io, host, run: started.run });
      if (options["land"] !== true || result.exit !== 0) return result;
      const { landRun } = await import("../../runtime/land-run.ts");
      const landed = await landRun(host, started.run);
      return {
        ...result,
        text: `${result.text}\nlanded on ${landed.branch}`,
        json: { ...result.json, landed },
      };
    });
  },
};

/** `--agent X` for all roles, `--agent ROLE=X` for one. */
export function agentsOf(given: unknown): Readonly<Record<string, string>> {
  const agents: Record<string, string> = {};
  for (const value of Array.isArray(given) ? given.map(String) : []) {
    const match = /^([a-z][a-z_-]*)=(.+)$/u.exec(value);
    if (match) agents[match[1] ?? ""] = match[2] ?? "";
    else agents["default"] = value;
  }
  return agents;
}

function gatesOf(given: unknown): readonly string[] {
  if (typeof given !== "string") return [];
  const gates = given.split(",").map((gate) => gate.trim());
  const wrong = gates.find((gate) => gate !== "plan" && gate !== "code");
  if (wrong !== undefined)
    throw new AppError("usage", `--approve knows no gate ${wrong}`, {
      hint: "--approve plan, code, or plan,code",
    });
  return gates;
}
