/**
 * The prompts of graph nodes: Jinja templates in `protocols/graph/templates`, each replaceable by
 * `.mettle/templates/graph/NODE.jinja`. A template gets the node's input, its memory and the briefing.
 */
import { AppError } from "../../../lib/errors.ts";
import { nearest } from "../../../lib/nearest.ts";
import { Briefing } from "../../../protocol/graph-types/briefing.ts";
import { examplesOf } from "../../../protocol/graph-types/examples.ts";
import {
  graphNodes,
  isGraphNode,
  nodeInputs,
  nodeMemories,
  type GraphNode,
  type NodeInput,
  type NodeMemory,
} from "../../../protocol/graph-types/nodes.ts";
import { shapeOf, type Shape } from "../../../protocol/graph-types/shape.ts";
import { checkJinja, type Names } from "../../../protocol/jinja/check.ts";
import { parseJinja } from "../../../protocol/jinja/parse.ts";
import { renderJinja } from "../../../protocol/jinja/render.ts";
import { JinjaFault, type Body } from "../../../protocol/jinja/tree.ts";
import type { Value } from "../../../protocol/jinja/value.ts";
import { jinja } from "../../../engine/start/library.ts";
import { inputForPrompt } from "./diff-for-prompt.ts";

export interface NodePrompt<N extends GraphNode> {
  readonly node: N;
  readonly input: NodeInput<N>;
  readonly memory: NodeMemory<N>;
  readonly briefing: Briefing;
  /** The command that prints a diff too long for a prompt; by default `git diff` from scaffold to result. */
  readonly diffCommand?: string;
}

/** @param templates templates of the run, `scaffold.jinja` and its four siblings among them */
export function renderNode<N extends GraphNode>(
  templates: ReadonlyMap<string, string>,
  { node, input, memory, briefing, diffCommand }: NodePrompt<N>,
): string {
  const { body, faults } = examine(node, templates.get(`${node}${jinja}`));
  if (faults.length > 0) throw invalid(faults);
  const shown = inputForPrompt(input, diffCommand);
  try {
    return renderJinja(body, { ...plain(shown), ...plain(memory), ...plain(briefing) });
  } catch (error) {
    if (error instanceof JinjaFault) throw invalid([faultText(node, error)]);
    throw error;
  }
}

/** Refuses invalid templates before a run starts, with all faults at once. */
export function assertNodeTemplates(templates: ReadonlyMap<string, string>): void {
  const faults = [...templates].flatMap(([name, text]) => {
    if (!name.endsWith(jinja)) return [];
    const node = name.slice(0, -jinja.length);
    return isGraphNode(node) ? examine(node, text).faults : [notANode(name, node)];
  });
  if (faults.length > 0) throw invalid(faults);
}

/** All names that the node's template may use. */
export function namesFor(node: GraphNode): Names {
  const names = new Map<string, Shape>();
  for (const type of [nodeInputs[node], nodeMemories[node], Briefing]) {
    const shape = shapeOf(type);
    if (shape.kind === "object") for (const [name, field] of shape.fields) names.set(name, field.shape);
  }
  return names;
}

function examine(
  node: GraphNode,
  text: string | undefined,
): { readonly body: Body; readonly faults: readonly string[] } {
  if (text === undefined) return { body: [], faults: [`there is no template ${node}${jinja}`] };
  try {
    const body = parseJinja(text);
    const faults = checkJinja(body, namesFor(node));
    return {
      body,
      faults: (faults.length > 0 ? faults : renderFaults(node, body)).map((fault) => faultText(node, fault)),
    };
  } catch (error) {
    if (error instanceof JinjaFault) return { body: [], faults: [faultText(node, error)] };
    throw error;
  }
}

/** Renders with example values to find optional values that are printed without a condition. */
function renderFaults(node: GraphNode, body: Body): readonly JinjaFault[] {
  const [inputs, memories, briefings] = [nodeInputs[node], nodeMemories[node], Briefing].map((type) =>
    examplesOf(shapeOf(type)),
  );
  for (const [at, input] of (inputs ?? []).entries())
    for (const briefing of briefings ?? [])
      try {
        renderJinja(body, { ...plain(input), ...plain(memories?.[at]), ...plain(briefing) });
      } catch (error) {
        if (error instanceof JinjaFault) return [error];
        throw error;
      }
  return [];
}

function plain(value: unknown): Readonly<Record<string, Value>> {
  return value as Readonly<Record<string, Value>>;
}

function faultText(node: GraphNode, { line, message }: JinjaFault): string {
  return `${node}${jinja}:${line}: ${message}`;
}

function notANode(name: string, node: string): string {
  const near = nearest(node, graphNodes);
  const guess = near === null ? "" : `, did you mean ${near}${jinja}?`;
  return `${name}: no node is called ${node}${guess} (known: ${graphNodes.join(", ")})`;
}

function invalid(faults: readonly string[]): AppError {
  const [first = ""] = faults;
  const message = faults.length === 1 ? first : [`${faults.length} faults`, ...faults].join("\n  ");
  return new AppError("template_invalid", message, {
    hint: "your own templates are in .mettle/templates/graph/; delete one to use the shipped one",
    detail: { faults },
  });
}
