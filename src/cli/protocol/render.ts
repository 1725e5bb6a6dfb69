/** `mettle protocol render NAME NODE --input FILE`: prints the prompt of a node of a graph, without an agent or a run. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import * as z from "zod";
import { AppError } from "../../lib/errors.ts";
import { nearest } from "../../lib/nearest.ts";
import { parseYaml } from "../../lib/yaml/yaml-document.ts";
import { typeFaults } from "../../protocol/graph-types/faults.ts";
import {
  graphNodes,
  isGraphNode,
  nodeInputs,
  nodeMemories,
  type GraphNode,
} from "../../protocol/graph-types/nodes.ts";
import { loadProtocol } from "../../protocol/load.ts";
import { contractSuiteOf } from "../../families/graph/prompt/project-words.ts";
import { renderNode } from "../../families/graph/prompt/templates.ts";
import { jinja } from "../../engine/start/library.ts";
import { localProjectWords } from "../../families/graph/prompt/local-project-words.ts";
import type { CommandHandler } from "../command.ts";
import { loadLibrary, sourceOf } from "./library.ts";

export const run: CommandHandler = async (io, given) => {
  const name = given.need("name");
  const library = await loadLibrary(io);
  sourceOf(library, name);
  const { bases } = loadProtocol(name, library.protocols);
  const templates = await library.templates([name, ...bases]);
  const node = nodeNamed(given.need("node"));
  if (!templates.has(`${node}${jinja}`))
    throw new AppError("usage", `${name} has no nodes, and no prompts of them`, {
      hint: `mettle protocol render graph ${node} --input FILE`,
    });
  const input = await readTyped(nodeInputs[node], given.need("input"), io.cwd);
  const memoryFile = given.text("memory");
  const memory =
    memoryFile === null ? emptyMemory[node] : await readTyped(nodeMemories[node], memoryFile, io.cwd);
  const project = await localProjectWords(io.cwd, contractSuiteOf(input));
  const prompt = renderNode(templates, { node, input, memory, briefing: { project, checks: [] } });
  return { exit: 0, json: { protocol: name, node, prompt }, text: prompt };
};

const nothing = {};
const emptyMemory = {
  scaffold: nothing,
  tdd: { conversationId: "", coveredCriteria: [], pendingTests: [] },
  impl: { conversationId: "", passedTests: [], attemptHistory: [] },
  merger: nothing,
  rebaser: nothing,
};

function nodeNamed(word: string): GraphNode {
  if (isGraphNode(word)) return word;
  const near = nearest(word, graphNodes);
  const guess = near === null ? "" : `, did you mean ${near}?`;
  throw new AppError("usage", `no node is called ${word}${guess}`, {
    hint: `mettle protocol render graph ${graphNodes.join("|")} --input FILE`,
  });
}

/** Reads a JSON or YAML file of this type. */
async function readTyped<T extends z.ZodType>(type: T, file: string, cwd: string): Promise<z.infer<T>> {
  const text = await readFile(resolve(cwd, file)).catch((cause: unknown) => {
    throw new AppError("invalid_inputs", `${file} cannot be read`, {
      hint: "name an existing file",
      cause,
    });
  });
  const { value } = parseYaml({ file, text }, z.unknown(), "invalid_yaml");
  const faults = typeFaults(type, value);
  if (faults.length === 0) return type.parse(value);
  const lines = faults.map(({ pointer, message }) => `${pointer === "" ? "/" : pointer}: ${message}`);
  throw new AppError("invalid_inputs", [`${file} does not fit`, ...lines].join("\n  "), {
    hint: "`mettle protocol schema graph TYPE` describes the type",
    detail: { faults },
  });
}
