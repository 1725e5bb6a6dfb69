/** `mettle verify --bundle FILE`: verifies a bundle and prints what it proves, and what no bundle can. */
import { resolve } from "node:path";
import type { InputValues } from "../../lib/command-line/input-values.ts";
import { counted } from "../../lib/counted.ts";
import { shortCommit } from "../../lib/short-commit.ts";
import type { BundleVerification } from "../../change/verify-bundle-file.ts";
import type { CliResult, Io } from "../command.ts";
import { withLiveProgress } from "../live-line.ts";
import { verdictExit } from "../../evidence/verdict-exit.ts";
import { signedLines } from "./signed-lines.ts";
import { gateWords } from "../../evidence/gate-command.ts";

export async function verifyBundleCommand(io: Io, file: string, given: InputValues): Promise<CliResult> {
  const { verifyBundleFile } = await import("../../change/verify-bundle-file.ts");
  const keys = given.list("key") ?? [];
  const verified = await withLiveProgress(io, (progress) =>
    verifyBundleFile({
      cwd: io.cwd,
      file: resolve(io.cwd, file),
      name: file,
      keys,
      replay: given.flag("replay"),
      signal: io.signal,
      progress,
    }),
  );
  return answer(verified, uncheckedOf(verified, keys));
}

/** What a bundle cannot prove. */
function uncheckedOf(
  { statement, replayed, signed }: BundleVerification,
  keys: readonly string[],
): readonly string[] {
  return [
    keys.length === 0
      ? "whose key signed it: compare its id with one that you know, --key ID"
      : "who else could use the key",
    ...(signed === undefined ? [] : ["the names of the workers: the key that signed the bundle says them"]),
    ...(replayed === undefined
      ? ["that the machine was honest: with its key it can sign anything; --replay executes it here"]
      : []),
    "the clock of that machine, its environment variables and its isolation",
    "that the tests mean what you wanted",
    ...(statement === null || statement.accepted.length === 0
      ? []
      : [`tests whose faults a person accepted: ${statement.accepted.join(", ")}`]),
    ...(statement?.made === "run"
      ? ["that the settings and documents of the run are those of the project"]
      : []),
  ];
}

function answer(verified: BundleVerification, unchecked: readonly string[]): CliResult {
  const { verdict, why, record, phase, records, statement, key, signed, replayed } = verified;
  const text = [
    verdict === "pass"
      ? `the evidence of ${what(verified)} holds: ${counted(records, "record")}`
      : `${verdict}: ${why}${phase === null ? "" : ` (phase ${phase})`}`,
    `  signed with ${key}`,
    ...signedLines(signed ?? [], { hasKeys: true }),
    ...(statement === null ? [] : [`  ${places(verified)}`]),
    ...(replayed === undefined
      ? []
      : [
          "executed again, with the same verdict but for times and paths:",
          ...replayed.lines.map((line) => `  ${line}`),
          `  ${replayed.verdict}`,
        ]),
    "not checked, since no record contains it:",
    ...unchecked.map((line) => `  - ${line}`),
  ].join("\n");
  return {
    exit: verdictExit[verdict],
    json: {
      run: statement?.run ?? null,
      made: statement?.made ?? null,
      verdict,
      why,
      record,
      phase,
      records,
      key,
      ...(signed === undefined ? {} : { signed }),
      base: statement?.base.commit ?? null,
      head: statement?.head?.commit ?? null,
      required: statement?.required ?? [],
      ...(replayed === undefined ? {} : { replayed: replayed.lines, same_verdict: replayed.verdict }),
      unchecked,
    },
    text,
  };
}

function what({ statement }: BundleVerification): string {
  if (statement === null) return "the bundle";
  if (statement.made === "run") return `run ${statement.run}`;
  return `\`${gateWords(statement.made).join(" ")}\``;
}

function places({ statement }: BundleVerification): string {
  if (statement === null) return "";
  const { base, head, required } = statement;
  const tests = `${counted(required.length, "required test")}`;
  return `${shortCommit(base.commit)} → ${head === null ? "no commit" : shortCommit(head.commit)}, ${tests}`;
}
