/** `mettle memory import FILE`: adds a file of server-memory to the repository's knowledge graph. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { counted } from "../../lib/counted.ts";
import { AppError } from "../../lib/errors.ts";
import type { Graph, MergeCounts } from "../../memory/graph/graph.ts";
import { readLines, type BadLine } from "../../memory/graph/lines.ts";
import { repositoryGraph } from "../../memory/graph/repository-graph.ts";
import type { CommandHandler } from "../command.ts";

export const run: CommandHandler = async (io, given) => {
  const file = given.need("file");
  const lines = await linesOf(resolve(io.cwd, file));
  const graph = await (await repositoryGraph(io.cwd)).open();
  try {
    const { merged, bad } = await mergeAll(graph, lines);
    const { entities, observations, relations } = merged;
    const text = [
      `added: ${counted(entities, "entity", "entities")}, ${counted(observations, "observation")}, ${counted(relations, "relation")}`,
      ...bad.map(({ line, why }) => `${file}:${line}: left out: ${why}`),
    ];
    return { exit: bad.length === 0 ? 0 : 1, json: { file, ...merged, bad }, text: text.join("\n") };
  } finally {
    await graph.close();
  }
};

/** Lines in one transaction; between two, other processes can write. */
const linesAtOnce = 2000;

async function mergeAll(
  graph: Graph,
  lines: readonly string[],
): Promise<{ readonly merged: MergeCounts; readonly bad: readonly BadLine[] }> {
  const seen = new Map<string, number>();
  const bad: BadLine[] = [];
  let merged: MergeCounts = { entities: 0, observations: 0, relations: 0 };
  for (let at = 0; at < lines.length; at += linesAtOnce) {
    const read = readLines(lines.slice(at, at + linesAtOnce), at + 1);
    bad.push(...read.bad);
    const part = await graph.merge(read.content, seen);
    merged = {
      entities: merged.entities + part.entities,
      observations: merged.observations + part.observations,
      relations: merged.relations + part.relations,
    };
  }
  return { merged, bad };
}

async function linesOf(path: string): Promise<readonly string[]> {
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    throw new AppError("usage", `${path} cannot be read`, {
      hint: "Name the file that MEMORY_FILE_PATH of server-memory names.",
      cause,
    });
  });
  return text.split("\n");
}
