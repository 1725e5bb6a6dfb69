/** A protocol as a Mermaid flowchart: every state a node, regions and machines boxes, every route a solid arrow. */
import { assertNever } from "../lib/assert-never.ts";
import { edges, nodeId, type Edge } from "./edges.ts";
import type { Machine, Protocol, State } from "./machine.ts";
import { allLevels, machineLevel, regionLevel, type Level, type Spot } from "./places.ts";

/** Solid arrows are routes, one for one; dotted ones are starts: of machines, regions and children. */
export function toMermaid(protocol: Protocol): string {
  const drawn = edges(protocol);
  const short = shortIds();
  const machines = Object.values(protocol.machines).flatMap((machine) =>
    drawMachine(protocol, machine, { drawn, short }),
  );
  const arrows = drawn.map(({ from, to, label }) => `${short(from)} -->|${quoted(label)}| ${short(to)}`);
  return ["flowchart TD", ...indent([...machines, ...arrows]), ""].join("\n");
}

interface Drawing {
  readonly drawn: readonly Edge[];
  readonly short: (id: string) => string;
}

/** Mermaid's ids are plain words; ours have colons and slashes. */
function shortIds(): (id: string) => string {
  const known = new Map<string, string>();
  return (id) => {
    const short = known.get(id) ?? `n${known.size}`;
    known.set(id, short);
    return short;
  };
}

function drawMachine(protocol: Protocol, machine: Machine, drawing: Drawing): readonly string[] {
  const { short } = drawing;
  const id = (name: string) => short(nodeId(machine, name));
  const handlers = allLevels(machine).filter(({ handler, parallel }) => handler && parallel === undefined);
  const inside = [
    `${id("start")}((start)) -.-> ${id(machine.start)}`,
    ...drawLevel(machine, machineLevel(machine), drawing),
    ...handlers.flatMap((level) =>
      box(id(level.prefix), level.prefix.slice(0, -1), drawLevel(machine, level, drawing)),
    ),
    ...drawExtras(machine, drawing),
  ];
  const children = Object.values(protocol.machines).flatMap((child) =>
    eachesOf(machine, child.name).map((spot) => `${id(spot.id)} -.-> ${short(nodeId(child, child.start))}`),
  );
  return [...box(id("machine"), machine.name, inside), ...children];
}

function box(id: string, label: string, inside: readonly string[]): readonly string[] {
  return [`subgraph ${id}[${quoted(label)}]`, ...indent(inside), "end"];
}

function drawLevel(machine: Machine, level: Level, drawing: Drawing): readonly string[] {
  return Object.values(level.states).flatMap((state) =>
    drawState(machine, { id: level.prefix + state.name, state, level }, drawing),
  );
}

function drawState(machine: Machine, spot: Spot, drawing: Drawing): readonly string[] {
  const { state } = spot;
  const id = drawing.short(nodeId(machine, spot.id));
  const label = quoted(labelOf(state));
  if (state.kind !== "parallel") return [state.kind === "ask" ? `${id}{{${label}}}` : `${id}[${label}]`];
  const regions = Object.entries(state.regions).flatMap(([name, region]) => {
    const level = regionLevel(spot, name, region);
    const inside = [...drawLevel(machine, level, drawing), ...drawEnds(machine, level.prefix, drawing)];
    return box(drawing.short(nodeId(machine, level.prefix)), name, inside);
  });
  // Arrows lead to a node of its own: one between a box and what is in it breaks Mermaid's layout.
  return box(drawing.short(nodeId(machine, `${spot.id}/`)), state.name, [`${id}[${label}]`, ...regions]);
}

function labelOf(state: State): string {
  switch (state.kind) {
    case "dispatch":
      return `${state.name}: ${state.role}`;
    case "check":
    case "merge":
    case "rebase":
      return `${state.name}: ${state.kind} ${state.gate}`;
    case "ask":
      return `${state.name}: ${state.text}`;
    case "parallel":
      return `${state.name}: ${state.order}`;
    case "each":
      return `${state.name}: each ${state.items}`;
    case "end":
      return `${state.name}: end ${state.outcome}`;
    default:
      return assertNever(state);
  }
}

/** What routes come from and lead to beside states. */
function drawExtras(machine: Machine, drawing: Drawing): readonly string[] {
  const extras = [
    "any state",
    "back",
    "resume",
    ...Object.keys(machine.counters).map((name) => `counter ${name}`),
  ];
  const used = extras.filter((name) => isDrawn(drawing, nodeId(machine, name)));
  const nodes = used.map((name) => `${drawing.short(nodeId(machine, name))}([${quoted(name)}])`);
  return [...nodes, ...drawEnds(machine, "", drawing)];
}

function drawEnds(machine: Machine, prefix: string, { drawn, short }: Drawing): readonly string[] {
  const start = nodeId(machine, `${prefix}end `);
  const ends = new Set(drawn.flatMap(({ to }) => (to.startsWith(start) ? [to] : [])));
  return [...ends].map((id) => `${short(id)}([${quoted(id.slice(start.length))}])`);
}

function isDrawn({ drawn }: Drawing, id: string): boolean {
  return drawn.some(({ from, to }) => from === id || to === id);
}

function eachesOf(machine: Machine, child: string): readonly Spot[] {
  return allLevels(machine).flatMap((level) =>
    Object.values(level.states).flatMap((state) =>
      state.kind === "each" && state.machine === child
        ? [{ id: level.prefix + state.name, state, level }]
        : [],
    ),
  );
}

function indent(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `  ${line}`);
}

/** Mermaid's own way to write the marks that would end a label. */
function quoted(text: string): string {
  return `"${text.replaceAll("#", "#35;").replaceAll('"', "#quot;").replaceAll("<", "#lt;").replaceAll(">", "#gt;")}"`;
}
