/** `mettle memory export [FILE]`: writes the repository's knowledge graph as a file of server-memory. */
import { counted } from "../../lib/counted.ts";
import { resolve } from "node:path";
import { AppError } from "../../lib/errors.ts";
import { exists, writeAtomically } from "../../lib/files.ts";
import { writeLines } from "../../memory/graph/lines.ts";
import { repositoryGraph } from "../../memory/graph/repository-graph.ts";
import type { CommandHandler } from "../command.ts";

export const run: CommandHandler = async (io, given) => {
  const file = given.text("file");
  const path = file === null ? null : resolve(io.cwd, file);
  if (path !== null && !given.flag("force")) await refuseExisting(path);
  const graph = await (await repositoryGraph(io.cwd)).open();
  try {
    const content = await graph.read();
    const text = writeLines(content);
    if (path === null) return { exit: 0, json: { file: null, ...content }, text, isData: true };
    await replace(path, text);
    const { entities, relations } = content;
    return {
      exit: 0,
      json: { file, entities: entities.length, relations: relations.length },
      text: `${file}: ${counted(entities.length, "entity", "entities")}, ${counted(relations.length, "relation")}`,
    };
  } finally {
    await graph.close();
  }
};

async function refuseExisting(path: string): Promise<void> {
  if (await exists(path))
    throw new AppError("usage", `${path} exists already`, {
      hint: "Name another file, or replace it: mettle memory export FILE --force",
    });
}

async function replace(path: string, text: string): Promise<void> {
  try {
    await writeAtomically(path, text, { mode: 0o600, followsLink: true });
  } catch (cause) {
    throw new AppError("usage", `${path} cannot be written`, {
      hint: "Name a file in a folder that can be written.",
      cause,
    });
  }
}
