/** Shared by `mettle gate` and `mettle prove`: judges the change, prints the answer and writes the file of `--out`. */
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { InputValues } from "../lib/command-line/input-values.ts";
import { AppError } from "../lib/errors.ts";
import type { GateName } from "../change/judge.ts";
import type { CliResult, Io } from "./command.ts";
import { gateText } from "./gate-text.ts";
import { withLiveProgress } from "./live-line.ts";

const exits = { pass: 0, fail: 1, inconclusive: 5 } as const;

export async function runGate(io: Io, gate: GateName, given: InputValues): Promise<CliResult> {
  const base = given.text("base");
  const out = given.text("out");
  if (base === null)
    throw new AppError("usage", "the commit before the change is missing", {
      hint: "name it: --base main",
    });
  const { judgeChange } = await import("../change/judge.ts");
  const { answerOf, writtenRecord } = await import("../change/answer.ts");
  const judged = await withLiveProgress(io, (progress) =>
    judgeChange(io.cwd, {
      gate,
      base,
      head: given.need("head"),
      red: given.text("red"),
      criteria: given.text("criteria"),
      planned: given.list("planned") ?? [],
      accepted: given.list("accept-test") ?? [],
      signal: io.signal,
      progress,
    }),
  );
  const answer = answerOf(judged);
  if (out !== null) await write(resolve(io.cwd, out), writtenRecord(judged));
  return {
    exit: exits[answer.verdict],
    json: answer,
    text: gateText(answer, { columns: io.columns, fault: judged.fault }),
  };
}

async function write(file: string, record: unknown): Promise<void> {
  await writeFile(file, `${JSON.stringify(record, null, 2)}\n`).catch((cause: unknown) => {
    throw new AppError("usage", `${file} cannot be written`, {
      hint: "name a file in an existing folder",
      cause,
    });
  });
}
