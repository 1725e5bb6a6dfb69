/** `mettle show RUN --graph`, `show RUN NODE` and `show RUN NODE --memory`. */
import type { OpenHost } from "../../run/host.ts";
import {
  nodeDetails,
  nodeMemory,
  type NodeDetails,
  type NodeTurn,
} from "../../families/graph/view/node-details.ts";
import { treeStatus } from "../../families/graph/view/tree-status.ts";
import { openRun } from "../../families/open-run.ts";
import { safeText } from "../../lib/safe-text.ts";
import { treeMermaid } from "../../views/tree/tree-mermaid.ts";
import { nodeTable } from "../../views/tree/tree-text.ts";
import type { CliResult } from "../command.ts";

export async function showGraph(host: OpenHost, run: string): Promise<CliResult> {
  const { nodes } = await treeStatus(await openRun(host, { run }), await ownerOf(host, run));
  const mermaid = treeMermaid(nodes);
  return { exit: 0, json: { run, mermaid, nodes }, text: mermaid };
}

export async function showNode(host: OpenHost, run: string, node: string): Promise<CliResult> {
  const details = await nodeDetails(await openRun(host, { run }), node, await ownerOf(host, run));
  return { exit: 0, json: { run, ...details }, text: detailsText(details) };
}

export async function showMemory(host: OpenHost, run: string, node: string): Promise<CliResult> {
  const memory = await nodeMemory(await openRun(host, { run }), node);
  return {
    exit: 0,
    json: { run, node, memory },
    text: [section("TDD", pretty(memory.tdd)), section("Impl", pretty(memory.impl))].join("\n\n"),
  };
}

async function ownerOf({ journal }: OpenHost, run: string): Promise<number | null> {
  return (await journal.owner(run))?.pid ?? null;
}

function detailsText({ node, inputs, outputs, turns, evidence }: NodeDetails): string {
  const parent = inputs.parentContext;
  const records = evidence.map(
    ({ record, purpose, verdict, exit_code }) =>
      `${record}  ${purpose} ${verdict}, EXIT_CODE ${exit_code ?? "none"}`,
  );
  return [
    [...nodeTable([{ ...node, nodes: [] }]), node.branch].join("\n"),
    section("Spec", pretty(inputs.spec)),
    ...(parent === null ? [] : [section("Given by its parent", pretty(parent))]),
    ...turns.map(turnText),
    ...Object.entries(outputs).map(([exit, payload]) => section(`Accepted: ${exit}`, pretty(payload))),
    section("Evidence", records.length === 0 ? "none" : records.join("\n")),
  ].join("\n\n");
}

/** Shows the prompt as it was sent, line by line. */
function turnText({ key, as, agent, prompt, exit, message, payload, commit }: NodeTurn): string {
  return [
    `== ${as} (${agent}), ${key}`,
    "-- prompt",
    safeText(prompt),
    `-- ${exit ?? "at work"}${message === null || message === "" ? "" : `: ${message}`}`,
    ...(commit === null ? [] : [`commit ${commit}`]),
    ...(payload === null ? [] : [pretty(payload)]),
  ].join("\n");
}

function section(title: string, text: string): string {
  return `== ${title}\n${text}`;
}

function pretty(value: unknown): string {
  return safeText(JSON.stringify(value, null, 2));
}
