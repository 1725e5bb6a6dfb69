/** `mettle verify`: checks the evidence of a run, or of a bundle on a machine that has only the commits. */
import { resolve } from "node:path";
import { counted } from "../../lib/counted.ts";
import { AppError } from "../../lib/errors.ts";
import type { InputValues } from "../../lib/command-line/input-values.ts";
import { writeBundle } from "../../evidence/bundle/bundle.ts";
import { withHost } from "../../run/host.ts";
import { assertRunsHere } from "../../run/run-host.ts";
import { findRun } from "../../run/find-run.ts";
import { openRun } from "../../families/open-run.ts";
import { bundleOfRun } from "../../verify/bundle-run.ts";
import { replayRun } from "../../verify/replay-run.ts";
import { uncheckedIn, verifyRun, type RunVerification } from "../../verify/verify-run.ts";
import type { FamilyRun } from "../../family/family.ts";
import type { CliResult, CommandHandler, Io } from "../command.ts";
import { version } from "../../config/version.ts";
import { signedLines } from "../verify/signed-lines.ts";
import { writeNamedFile } from "../write-file.ts";
import { verdictExit } from "../../evidence/verdict-exit.ts";

export const run: CommandHandler = async (io, given) => {
  refuseMixed(given);
  const file = given.text("bundle");
  if (file !== null) {
    const { verifyBundleCommand } = await import("../verify/verify-bundle.ts");
    return verifyBundleCommand(io, file, given);
  }
  return verifyRunCommand(io, given);
};

/** @throws usage */
function refuseMixed(given: InputValues): void {
  const isBundle = given.text("bundle") !== null;
  const hint = "`mettle verify RUN` checks a run here, `mettle verify --bundle FILE` a bundle";
  const isMixed = ["run", "bundle-out", "export"].some((name) => given.text(name) !== null);
  if (isBundle && isMixed)
    throw new AppError("usage", "--bundle takes no run, --bundle-out or --export", { hint });
  if (!isBundle && given.list("key") !== null)
    throw new AppError("usage", "--key belongs to --bundle: the keys of a run are known here", {
      hint,
    });
}

function verifyRunCommand(io: Io, given: InputValues): Promise<CliResult> {
  const out = given.text("bundle-out");
  return withHost(io.cwd, async (host) => {
    const run = await findRun(host, given.text("run"));
    const context = await openRun(host, { run });
    assertRunsHere(context);
    const verification = await verifyRun(context);
    const replay =
      given.flag("replay") && verification.verdict === "pass" ? await replayRun(context, io.signal) : null;
    const verified =
      replay === null || replay.verdict !== "pass"
        ? (replay ?? verification)
        : { ...verification, replayed: replay.replayed ?? [] };
    if (out !== null && verified.verdict === "pass")
      await writeNamedFile(resolve(io.cwd, out), writeBundle(await bundleOfRun(context), await host.key()));
    const printed = answer(run, verified, uncheckedIn(host.home));
    return given.text("export") === null ? printed : exportOf(context, verified, printed);
  });
}

async function exportOf(
  context: FamilyRun,
  verification: RunVerification,
  printed: CliResult,
): Promise<CliResult> {
  const { inTotoStatement } = await import("../../change/report/in-toto.ts");
  const { testResultOfRun } = await import("../../change/report/run-statement.ts");
  const statement = inTotoStatement(await testResultOfRun(context, verification, version()));
  return {
    ...printed,
    json: { ...printed.json, statement },
    text: JSON.stringify(statement, null, 2),
    isData: true,
  };
}

function answer(run: string, verification: RunVerification, unchecked: readonly string[]): CliResult {
  const { verdict, why, record, phase, records, signed, nodes, replayed } = verification;
  const text = [
    verdict === "pass"
      ? `the evidence of run ${run} holds: ${counted(records, "record")}`
      : `${verdict}: ${why}${phase === null ? "" : ` (phase ${phase})`}`,
    ...signedLines(signed ?? []),
    ...(nodes ?? []).map(
      ({ node, records: own }) =>
        `  ${node}: ${own.map(({ id, purpose, verdict: result }) => `${purpose} ${result} (${id})`).join(", ")}`,
    ),
    ...(replayed === undefined
      ? []
      : ["executed again, each with the same result:", ...replayed.map((line) => `  ${line}`)]),
    "not checked, since no record contains it:",
    ...unchecked.map((line) => `  - ${line}`),
  ].join("\n");
  return {
    exit: verdictExit[verdict],
    json: {
      run,
      verdict,
      why,
      record,
      phase,
      records,
      ...(signed === undefined ? {} : { signed }),
      ...(nodes === undefined ? {} : { nodes }),
      ...(replayed === undefined ? {} : { replayed }),
      unchecked,
    },
    text,
  };
}
