/** `mettle protocol list`: lists the shipped protocols and those of the repository. */
import { AppError } from "../../lib/errors.ts";
import { loadProtocol, readProtocolFile } from "../../protocol/load.ts";
import type { Library } from "../../engine/start/library.ts";
import type { CommandHandler } from "../command.ts";
import { loadLibrary } from "./library.ts";

export const run: CommandHandler = async (io) => {
  const library = await loadLibrary(io);
  const protocols = [...library.protocols].map(([name, { file, own }]) => ({
    name,
    ...about(library, name),
    file,
    own,
  }));
  const lines = protocols.map(({ name, kind, base, file, own }) =>
    [
      name.padEnd(16),
      (kind ?? "invalid").padEnd(8),
      (base ?? "-").padEnd(12),
      own ? "own    " : "shipped",
      file,
    ].join("  "),
  );
  return { exit: 0, json: { protocols }, text: lines.join("\n") };
};

/** Invalid files are in the list too; `protocol check` reports their errors. */
function about({ protocols }: Library, name: string) {
  try {
    const source = protocols.get(name);
    const read = source && readProtocolFile(source);
    if (read?.kind === "steps")
      return { kind: read.kind, base: read.file.extends ?? null, about: read.file.description };
    const { kind, bases, about } = loadProtocol(name, protocols);
    return { kind, base: bases[0] ?? null, about };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { kind: null, base: null, about: error.message };
  }
}
