/** What `mettle gate` and `mettle prove` have in common: their options, their answer and the file of `--out`. */
import type { Command } from "commander";
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { z } from "zod";
import { AppError } from "../lib/errors.ts";
import type { GateName } from "../runtime/gate/judge.ts";
import type { CliResult, Io } from "./command.ts";
import { gateText } from "./gate-text.ts";
import { toldLive } from "./live-line.ts";

export function defineRevisions(line: Command): Command {
  return line
    .option("--base <rev>", "the commit before the change")
    .option("--head <rev>", "the commit to judge", "HEAD")
    .option("--criteria <file>", "a file of criteria: each needs a test that names its id")
    .option("--accept-test <id...>", "accept a test as it is, by its id")
    .option("--out <file>", "write the evidence record as JSON");
}

const Options = z.object({
  base: z.string().optional(),
  head: z.string(),
  red: z.string().optional(),
  criteria: z.string().optional(),
  planned: z.array(z.string()).default([]),
  acceptTest: z.array(z.string()).default([]),
  out: z.string().optional(),
});

const exits = { pass: 0, fail: 1, inconclusive: 5 } as const;

export async function answerGate(
  io: Io,
  gate: GateName,
  given: Readonly<Record<string, unknown>>,
): Promise<CliResult> {
  const { base, head, red = null, criteria = null, planned, acceptTest, out } = Options.parse(given);
  if (base === undefined)
    throw new AppError("usage", "the commit before the change is missing", {
      hint: "name it: --base main",
    });
  const { judgeChange } = await import("../runtime/gate/judge.ts");
  const { answerOf, writtenRecord } = await import("../runtime/gate/answer.ts");
  const judged = await toldLive(io, (progress) =>
    judgeChange(io.cwd, {
      gate,
      base,
      head,
      red,
      criteria,
      planned,
      accepted: acceptTest,
      signal: io.signal,
      progress,
    }),
  );
  const answer = answerOf(judged);
  if (out !== undefined) await write(resolve(io.cwd, out), writtenRecord(judged));
  return {
    exit: exits[answer.verdict],
    json: answer,
    text: gateText(answer, { columns: io.columns, fault: judged.fault }),
  };
}

async function write(file: string, record: unknown): Promise<void> {
  await writeFile(file, `${JSON.stringify(record, null, 2)}\n`).catch((cause: unknown) => {
    throw new AppError("usage", `${file} cannot be written`, {
      hint: "name a file in a folder that is there",
      cause,
    });
  });
}
