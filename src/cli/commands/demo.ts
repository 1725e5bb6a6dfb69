import { shippedFamilies } from "../../families/families.ts";
import { programPath } from "../../config/env.ts";
import type { InputValues } from "../../lib/command-line/input-values.ts";
import { AppError } from "../../lib/errors.ts";
import { demoProtocols, makeDemoWorld, standIn, type DemoProtocol, type DemoWorld } from "../demo/world.ts";
import { wrapText } from "../../lib/wrap-text.ts";
import { openRun } from "../../families/open-run.ts";
import { startRun } from "../../engine/start/start-run.ts";
import type { RunView } from "../../log/run-view.ts";
import { openAsks } from "../../log/open-asks.ts";
import type { CliResult, CommandHandler } from "../command.ts";
import { driveRun } from "../drive-run.ts";
import { firstRun } from "../first-run.ts";
import { runResult } from "../run-result.ts";

export const run: CommandHandler = async (io, given) => {
  const { cheat, keep, protocol } = demoOptions(given);
  const path = programPath();
  const world = await makeDemoWorld({ cheat, protocol, path });
  try {
    io.print(introduction(world, { cheat, keep, protocol }, io.columns));
    const { run, note } = await startRun(
      world.host,
      {
        task: world.task,
        protocol,
        agents: { default: `scripted:${world.cassette}` },
        ...(world.spec === null ? {} : { spec: world.spec }),
        preapproved: [],
        demo: true,
        limits: cheat ? { green: 2 } : {},
      },
      shippedFamilies,
    );
    if (note !== null) io.warn(`note: ${note}`);
    const result = await driveRun({ io, host: world.host, run, standIn });
    if (result.exit === 130) return result;
    return cheat ? await refusedResult(world, run) : provenResult(result, protocol);
  } finally {
    await (keep ? world.leave() : world.remove());
  }
};

interface DemoOptions {
  readonly cheat: boolean;
  readonly keep: boolean;
  readonly protocol: DemoProtocol;
}

function demoOptions(given: InputValues): DemoOptions {
  const protocol = demoProtocols.find((name) => name === given.need("protocol"));
  const cheat = given.flag("cheat");
  if (protocol === undefined || (cheat && protocol !== "orchestrate"))
    throw new AppError(
      "usage",
      cheat ? "only the demo of orchestrate has a cheat" : `there is no demo of ${given.need("protocol")}`,
      { hint: cheat ? "mettle demo --cheat" : `mettle demo --protocol ${demoProtocols.join("|")}` },
    );
  return { cheat, keep: given.flag("keep"), protocol };
}

function introduction(
  { task, folder, repository }: DemoWorld,
  { cheat, keep, protocol }: DemoOptions,
  columns: number,
): string {
  const place = keep
    ? "The demo keeps its folder, so that the printed commands work afterwards:"
    : "The demo uses a temporary folder and removes it at the end; `mettle demo --keep` keeps it.";
  const lines = [
    `The task: ${task}.`,
    "A scripted agent plays every role, so no key and no network is needed. Everything else is real: git, the test runner, the gates, the evidence. The demo answers at the gates itself, and the answers are marked.",
    cheat
      ? "This time the implementer weakens a test and claims success. Watch Mettle refuse it."
      : scenes[protocol],
    place,
  ];
  return [
    ...lines.flatMap((line) => wrapText(line, Math.min(columns, 100))),
    ...(keep ? [`  cd ${repository} && export METTLE_HOME=${folder}/state`] : []),
    "",
  ].join("\n");
}

const scenes: Readonly<Record<DemoProtocol, string>> = {
  orchestrate: "The first implementation is wrong, and the agent claims success. Watch Mettle refuse it.",
  riper:
    "The design is audited as a whole and by module, then two methods are written test first. Watch the reviews disagree once.",
  dptr: "The design is audited by module, then two methods are written test first. Watch the reviews disagree once.",
  graph:
    "The root splits its work into two children, which work at the same time. One fails its tests once; each is proved again when it is merged.",
};

function provenResult(result: CliResult, protocol: DemoProtocol): CliResult {
  if (result.exit !== 0) return result;
  const own = [
    "",
    "In your own repository with a real agent (default: Claude Code):",
    "  cd your/repository && mettle init && mettle doctor",
    `  ${firstRun(protocol)}`,
  ].join("\n");
  return { ...result, text: `${result.text}\n${own}` };
}

/** The run waits at its breaker: the demo aborts it, as a person would, and prints the findings. */
async function refusedResult({ host }: DemoWorld, run: string): Promise<CliResult> {
  const context = await openRun(host, { run });
  const { asks, judged, claims, records, rescued } = context.session.view;
  const block = openAsks(context.session.view).map(({ key }) => asks[key]?.text ?? "");
  const refusals = judged.filter(({ gate, verdict }) => gate === "green" && verdict === "fail");
  const reason = refusals.at(-1)?.reasons[0] ?? "the implementation was refused";
  await context.session.abort(`refused: ${reason}`, undefined);
  const record = records.findLast(({ purpose }) => purpose === "green");
  const lines = [
    "",
    ...block,
    "",
    ...claimLines(claims),
    "What Mettle found:",
    `  ${reason}`,
    `Evidence: record ${record?.id ?? "none"} (${record?.verdict ?? ""}, EXIT_CODE ${record?.exitCode ?? "none"}); the refused work is kept at ${rescued.at(-1)?.ref ?? "-"}`,
    "",
    `✗ NOT DONE: refused: ${reason}`,
  ];
  return {
    exit: 1,
    json: {
      ...(await runResult(context, { type: "ended", outcome: "halted" })).json,
      refused: reason,
      record: record?.id ?? null,
    },
    text: lines.join("\n"),
  };
}

/** An agent whose tools are stopped early may claim nothing. */
function claimLines(claims: RunView["claims"]): readonly string[] {
  if (claims.length === 0) return [];
  const lines = new Set(claims.map(({ phrase }) => `  "${phrase}"  -> UNVERIFIED, retracted`));
  return ["The implementer claimed:", ...lines];
}
