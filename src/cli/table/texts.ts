/** The commands for protocols and for the memory of a project. */
import { argument, flag, option, optional, word } from "../../lib/command-line/row.ts";
import type { MettleCommand } from "../command.ts";

const protocol = argument("name", "the protocol");

export const protocols: readonly MettleCommand[] = [
  {
    name: "protocol list",
    summary: "the protocols at hand, the shipped ones and your own",
    inputs: [],
    load: () => import("../protocol/list.ts"),
  },
  {
    name: "protocol show",
    summary: "the file of a protocol, and with --json what comes of it",
    inputs: [protocol],
    load: () => import("../protocol/show.ts"),
  },
  {
    name: "protocol check",
    summary: "everything that is wrong with a protocol and its templates",
    inputs: [argument("name", "the protocol, or a file")],
    load: () => import("../protocol/check.ts"),
  },
  {
    name: "protocol graph",
    summary: "a protocol as Mermaid",
    inputs: [protocol],
    load: () => import("../protocol/graph.ts"),
  },
  {
    name: "protocol legend",
    summary: "what the symbols of riper and dptr mean",
    inputs: [protocol],
    load: () => import("../protocol/legend.ts"),
  },
  {
    name: "protocol schema",
    summary: "the JSON Schema of protocol files, or of the types of the graph",
    inputs: [
      optional(argument("name", "graph: that of its types")),
      optional(argument("type", "of one type alone")),
    ],
    load: () => import("../protocol/schema.ts"),
  },
  {
    name: "protocol render",
    summary: "the prompt that a node of a graph would get, without agent and run",
    inputs: [
      protocol,
      argument("node", "scaffold, tdd, impl, merger, rebaser"),
      word("input FILE", "the node's input, as JSON"),
      option("memory FILE", "what the node remembers (default: nothing)"),
    ],
    load: () => import("../protocol/render.ts"),
  },
];

export const memory: readonly MettleCommand[] = [
  {
    name: "memory show",
    summary: "a file of the memory bank, a field or a marked section",
    inputs: [argument("address", "σ₂, σ₂.tech_stack or σ₁:R1; s2.tech_stack means the same")],
    load: () => import("../memory/show.ts"),
  },
  {
    name: "memory check",
    summary: "every reference of the memory bank that names nothing, or more than one thing",
    inputs: [
      option("protocol NAME", "riper has σ₆, dptr has not (default: whether its file is there)", {
        oneOf: ["riper", "dptr"],
      }),
    ],
    load: () => import("../memory/check.ts"),
  },
  {
    name: "memory query",
    summary: "what was observed in the dialogues of a run, in the order of writing",
    inputs: [
      argument("run", "id of the run"),
      argument("pattern", "e.g. 'OBS[S1,R{current},*,*]'"),
      option("round NUMBER", "what {current} stands for"),
      option("after ID", "only what was written after this observation"),
      option("limit NUMBER", "at most this many"),
    ],
    load: () => import("../memory/query.ts"),
  },
  {
    name: "memory import",
    summary: "take a file of server-memory into the knowledge graph",
    inputs: [argument("file", "the one that its MEMORY_FILE_PATH names")],
    load: () => import("../memory/import.ts"),
  },
  {
    name: "memory export",
    summary: "the knowledge graph as a file of server-memory",
    inputs: [
      optional(argument("file", "where to write it (default: it is printed)")),
      flag("force", "replace the file"),
    ],
    load: () => import("../memory/export.ts"),
  },
];
