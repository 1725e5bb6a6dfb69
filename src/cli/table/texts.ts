/** The commands for protocols and for the memory of a project. */
import { argument, flag, option, optional, word } from "../../lib/command-line/row.ts";
import type { MettleCommand } from "../command.ts";

const protocol = argument("name", "the protocol");

export const protocols: readonly MettleCommand[] = [
  {
    name: "protocol list",
    summary: "list the shipped protocols and your own",
    inputs: [],
    load: () => import("../protocol/list.ts"),
  },
  {
    name: "protocol show",
    summary: "print the file of a protocol; with --json the resolved protocol",
    inputs: [protocol],
    load: () => import("../protocol/show.ts"),
  },
  {
    name: "protocol check",
    summary: "report the errors of a protocol and its templates",
    inputs: [argument("name", "the protocol, or a file")],
    load: () => import("../protocol/check.ts"),
  },
  {
    name: "protocol graph",
    summary: "draw a protocol in Mermaid",
    inputs: [protocol],
    load: () => import("../protocol/graph.ts"),
  },
  {
    name: "protocol legend",
    summary: "explain the symbols of riper and dptr",
    inputs: [protocol],
    load: () => import("../protocol/legend.ts"),
  },
  {
    name: "protocol schema",
    summary: "print the JSON Schema of protocol files, or of the types of the graph",
    inputs: [
      optional(argument("name", "graph: that of its types")),
      optional(argument("type", "of one type alone")),
    ],
    load: () => import("../protocol/schema.ts"),
  },
  {
    name: "protocol render",
    summary: "print the prompt of a node of a graph, without an agent or a run",
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
    summary: "print a file of the memory bank, a field or a marked section",
    inputs: [argument("address", "σ₂, σ₂.tech_stack or σ₁:R1; s2.tech_stack means the same")],
    load: () => import("../memory/show.ts"),
  },
  {
    name: "memory check",
    summary: "list every reference of the memory bank without a target, or with several",
    inputs: [
      option("protocol NAME", "riper has σ₆, dptr has not (default: whether its file exists)", {
        oneOf: ["riper", "dptr"],
      }),
    ],
    load: () => import("../memory/check.ts"),
  },
  {
    name: "memory query",
    summary: "print the observations in the dialogues of a run, in the order of writing",
    inputs: [
      argument("run", "id of the run"),
      argument("pattern", "e.g. 'OBS[S1,R{current},*,*]'"),
      option("round NUMBER", "the value of {current}"),
      option("after ID", "only what was written after this observation"),
      option("limit NUMBER", "at most this many"),
    ],
    load: () => import("../memory/query.ts"),
  },
  {
    name: "memory import",
    summary: "add a file of server-memory to the knowledge graph",
    inputs: [argument("file", "the one that its MEMORY_FILE_PATH names")],
    load: () => import("../memory/import.ts"),
  },
  {
    name: "memory export",
    summary: "write the knowledge graph as a file of server-memory",
    inputs: [
      optional(argument("file", "where to write it (default: stdout)")),
      flag("force", "replace the file"),
    ],
    load: () => import("../memory/export.ts"),
  },
];
