/**
 * Draws a protocol as a Mermaid flowchart: states are nodes, machines are boxes, routes are solid arrows. Inside a
 * machine, phases are boxes if every state has one (mermaid-groups.ts), otherwise regions are.
 */
import { edges, nodeId } from "./edges.ts";
import type { Machine, Protocol } from "./machine.ts";
import { drawGroups, isGrouped } from "./mermaid-groups.ts";
import { box, drawEnds, drawNode, indent, quoted, type Drawing } from "./mermaid-parts.ts";
import { allLevels, machineLevel, regionLevel, type Level, type Spot } from "./levels.ts";

/** Each solid arrow is one route; dotted arrows are starts of machines, regions and children. */
export function toMermaid(protocol: Protocol): string {
  const drawn = edges(protocol);
  const short = shortIds();
  const machines = Object.values(protocol.machines).flatMap((machine) =>
    drawMachine(protocol, machine, { drawn, short }),
  );
  const arrows = drawn.map(({ from, to, label }) => `${short(from)} -->|${quoted(label)}| ${short(to)}`);
  return ["flowchart TD", ...indent([...machines, ...arrows]), ""].join("\n");
}

/** Mermaid's ids must be plain words; ours have colons and slashes. */
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
  const inside = [
    `${id("start")}((start)) -.-> ${id(machine.start)}`,
    ...(isGrouped(protocol) ? drawGroups(machine, drawing) : drawLevels(machine, drawing)),
    ...drawExtras(machine, drawing),
  ];
  const children = Object.values(protocol.machines).flatMap((child) =>
    eachesOf(machine, child.name).map((spot) => `${id(spot.id)} -.-> ${short(nodeId(child, child.start))}`),
  );
  return [...box(id("machine"), machine.name, inside), ...children];
}

/** Regions and handlers are boxes inside the machine's box. */
function drawLevels(machine: Machine, drawing: Drawing): readonly string[] {
  const handlers = allLevels(machine).filter(({ handler, parallel }) => handler && parallel === undefined);
  return [
    ...drawLevel(machine, machineLevel(machine), drawing),
    ...handlers.flatMap((level) =>
      box(
        drawing.short(nodeId(machine, level.prefix)),
        level.prefix.slice(0, -1),
        drawLevel(machine, level, drawing),
      ),
    ),
  ];
}

function drawLevel(machine: Machine, level: Level, drawing: Drawing): readonly string[] {
  return Object.values(level.states).flatMap((state) =>
    drawState(machine, { id: level.prefix + state.name, state, level }, drawing),
  );
}

function drawState(machine: Machine, spot: Spot, drawing: Drawing): readonly string[] {
  const { state } = spot;
  const id = drawing.short(nodeId(machine, spot.id));
  if (state.kind !== "parallel") return [drawNode(id, state)];
  const regions = Object.entries(state.regions).flatMap(([name, region]) => {
    const level = regionLevel(spot, name, region);
    const inside = [...drawLevel(machine, level, drawing), ...drawEnds(machine, level.prefix, drawing)];
    return box(drawing.short(nodeId(machine, level.prefix)), name, inside);
  });
  // Arrows lead to a separate node: an arrow between a box and its content breaks Mermaid's layout.
  return box(drawing.short(nodeId(machine, `${spot.id}/`)), state.name, [drawNode(id, state), ...regions]);
}

/** Sources and targets of routes that are not states. */
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
