/** `mettle memory check`: every reference of the memory bank that names nothing, or more than one thing. */
import { counted } from "../../lib/counted.ts";
import { AppError } from "../../lib/errors.ts";
import { memoryPath, readBank } from "../../memory/bank/files.ts";
import { findReferences } from "../../memory/bank/references.ts";
import { safeLine } from "../../lib/safe-text.ts";
import type { CliCommand } from "../command.ts";
import { bankRoot } from "./bank-root.ts";

export const check: CliCommand["run"] = async (io, args, options) => {
  if (args.length > 0)
    throw new AppError("usage", "memory check takes no arguments", { hint: "mettle memory check" });
  const files = await readBank(await bankRoot(io.cwd));
  const protection = hasProtection(options["protocol"]) ?? files.some(({ path }) => path === memoryPath(6));
  const references = findReferences(files, { protection });
  const broken = references.filter((reference) => reference.broken !== null);
  const lines = broken.map(({ file, line, column, text, broken: why }) =>
    safeLine(`${file}:${line}:${column}: ${text}: ${why}`),
  );
  const text =
    broken.length > 0 ? lines.join("\n") : `${counted(references.length, "reference")}, none is broken`;
  return { exit: broken.length === 0 ? 0 : 1, json: { references, broken }, text };
};

/** null where nobody says which protocol is meant. */
function hasProtection(protocol: unknown): boolean | null {
  if (protocol === undefined) return null;
  if (protocol === "riper" || protocol === "dptr") return protocol === "riper";
  throw new AppError("usage", `no memory bank belongs to the protocol ${JSON.stringify(protocol)}`, {
    hint: "--protocol is riper or dptr",
  });
}
