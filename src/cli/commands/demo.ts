import { environment, variable } from "../../config/env.ts";
import { makeDemoWorld, standIn, type DemoWorld } from "../../runtime/demo.ts";
import { openRun } from "../../runtime/open-run.ts";
import { startRun } from "../../runtime/start-run.ts";
import type { CliCommand, CliResult } from "../command.ts";
import { driveRun } from "../drive-run.ts";

export const command: CliCommand = {
  define: (line) =>
    line
      .option("--cheat", "an implementer that edits a test and claims success")
      .option("--keep", "leave the demo's folder for a look"),

  async run(io, _args, options) {
    const cheat = options["cheat"] === true;
    const world = await makeDemoWorld({ cheat, path: variable("PATH", environment()) ?? "/usr/bin:/bin" });
    try {
      io.say(introduction(world, cheat));
      const { run } = await startRun(world.host, {
        task: world.task,
        protocol: "orchestrate",
        agents: { default: `scripted:${world.cassette}` },
        preapproved: [],
        demo: true,
        limits: cheat ? { green: 2 } : {},
      });
      const result = await driveRun({ io, host: world.host, run, standIn });
      return cheat ? await refused(world, run, result) : proven(result);
    } finally {
      if (options["keep"] === true) io.say(`\nthe demo's folder is kept: ${world.folder}`);
      else await world.remove();
    }
  },
};

function introduction({ task }: DemoWorld, cheat: boolean): string {
  return [
    `The task: ${task}.`,
    "A scripted agent plays every role, so no key and no network is needed. Everything else is real: git, the test",
    "runner, the gates, the evidence. Answers at the gates are the demo's own and marked so.",
    cheat
      ? "This time the implementer weakens a test and says that it is done. Watch what that is worth."
      : "The first implementation is wrong and claims success. Watch what that is worth.",
  ].join("\n");
}

function proven(result: CliResult): CliResult {
  const own = [
    "",
    "With your own repository and a cassette of your own (agents that think come with the next version):",
    "  cd your/repository && mettle init",
    `  mettle run '@orchestrate "Build a login page"' --agent scripted:cassette.yaml`,
  ].join("\n");
  return { ...result, text: `${result.text}\n${own}` };
}

/** The run stands at its breaker; the demo ends it as a person would and says what was found. */
async function refused({ host }: DemoWorld, run: string, result: CliResult): Promise<CliResult> {
  const context = await openRun(host, { run });
  const { judged, claims, records, rescued } = context.session.view;
  const refusals = judged.filter(({ gate, verdict }) => gate === "green" && verdict === "fail");
  const reason = refusals.at(-1)?.reasons[0] ?? "the implementation was refused";
  await context.session.abort(`refused: ${reason}`, undefined);
  const record = records.findLast(({ purpose }) => purpose === "green");
  const lines = [
    result.text,
    "",
    "The implementer said:",
    ...new Set(claims.map(({ phrase }) => `  "${phrase}"  -> UNVERIFIED, retracted`)),
    "What Mettle found:",
    `  ${reason}`,
    `Evidence: record ${record?.id ?? "none"} (${record?.verdict ?? ""}, EXIT_CODE ${record?.exitCode ?? "none"}); the refused work is kept at ${rescued.at(-1)?.ref ?? "-"}`,
    "",
    `✗ NOT DONE: refused: ${reason}`,
  ];
  return {
    exit: 1,
    json: { ...result.json, refused: reason, record: record?.id ?? null },
    text: lines.join("\n"),
  };
}
