/** `mettle memory check`: lists every reference of the memory bank whose target is missing or ambiguous. */
import { counted } from "../../lib/counted.ts";
import { memoryPath, readBank } from "../../memory/bank/files.ts";
import { findReferences } from "../../memory/bank/references.ts";
import { safeLine } from "../../lib/safe-text.ts";
import type { CommandHandler } from "../command.ts";
import { bankRoot } from "./bank-root.ts";

export const run: CommandHandler = async (io, given) => {
  const files = await readBank(await bankRoot(io.cwd));
  const protocol = given.text("protocol");
  const protection =
    protocol === null ? files.some(({ path }) => path === memoryPath(6)) : protocol === "riper";
  const references = findReferences(files, { protection });
  const broken = references.filter((reference) => reference.broken !== null);
  const lines = broken.map(({ file, line, column, text, broken: why }) =>
    safeLine(`${file}:${line}:${column}: ${text}: ${why}`),
  );
  const text =
    broken.length > 0 ? lines.join("\n") : `${counted(references.length, "reference")}, none is broken`;
  return { exit: broken.length === 0 ? 0 : 1, json: { references, broken }, text };
};
