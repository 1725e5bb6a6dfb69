/** The details of one node: inputs, outputs, prompts and evidence (V3-74). */
import { AppError } from "../../../lib/errors.ts";
import { nodesOfFrames } from "../../../log/node-frames.ts";
import type { NodeStatus } from "../../../views/tree/tree-status.ts";
import { flattenNodes } from "../../../views/tree/tree-status.ts";
import type { RunContext } from "../../../run/context.ts";
import { memoryOf } from "../prompt/prompt.ts";
import type { Node } from "../node.ts";
import { decisionPayload } from "../payloads.ts";
import { treeStatus } from "./tree-status.ts";

export interface NodeTurn {
  readonly key: string;
  /** The specification's name of the node that worked, with its mode. */
  readonly as: string;
  readonly agent: string;
  readonly prompt: string;
  readonly exit: string | null;
  readonly message: string | null;
  readonly payload: unknown;
  readonly commit: string | null;
}

export interface NodeDetails {
  readonly node: Omit<NodeStatus, "nodes">;
  readonly inputs: { readonly spec: unknown; readonly parentContext: unknown };
  /** Accepted payloads by the name of their exit. */
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly turns: readonly NodeTurn[];
  readonly evidence: readonly {
    readonly record: string;
    readonly purpose: string;
    readonly verdict: string;
    readonly exit_code: number | null;
    readonly commit: string | null;
  }[];
}

export async function nodeDetails(
  context: RunContext,
  wantedId: string,
  owner: number | null,
): Promise<NodeDetails> {
  const { nodes: _children, ...node } = await statusOf(context, wantedId, owner);
  const { view } = context.session;
  const entry = view.nodes[wantedId];
  const frames = nodesOfFrames(view);
  const keys = view.order.filter((key) => frames.get(view.commands[key]?.command.frame ?? "") === wantedId);
  const json = async (ref: string | null): Promise<unknown> =>
    ref === null ? null : (JSON.parse(await context.payloads.text(ref)) as unknown);
  const accepted = Object.entries(entry?.accepted ?? {}).map(
    async ([exit, ref]): Promise<[string, unknown]> => [exit, await json(ref)],
  );
  return {
    node,
    inputs: {
      spec: await json(entry?.spec ?? null),
      parentContext: await json(entry?.parentContext ?? null),
    },
    outputs: Object.fromEntries(await Promise.all(accepted)),
    turns: (await Promise.all(keys.map((key) => turnOf(context, key)))).flat(),
    evidence: view.records
      .filter(({ key }) => keys.includes(key))
      .map(({ id, purpose, verdict, exitCode, commit }) => ({
        record: id,
        purpose,
        verdict,
        exit_code: exitCode,
        commit,
      })),
  };
}

/** For people only (V3-55). */
export async function nodeMemory(context: RunContext, wantedId: string) {
  const { nodeId: id, depth } = await statusOf(context, wantedId, null);
  const entry = context.session.view.nodes[id];
  if (entry === undefined) return { tdd: null, impl: null };
  const node: Node = { id, frame: "", depth, parent: null, entry };
  return { tdd: await memoryOf(context, node, "tdd"), impl: await memoryOf(context, node, "impl") };
}

/** Finds any node that the run ever had. */
async function statusOf(context: RunContext, wantedId: string, owner: number | null): Promise<NodeStatus> {
  const all = flattenNodes((await treeStatus(context, owner)).nodes);
  const found = all.find(({ nodeId }) => nodeId === wantedId);
  if (found) return found;
  throw new AppError("node_unknown", `run ${context.run} has no node ${wantedId}`, {
    hint:
      all.length === 0
        ? "only a graph has nodes"
        : `its nodes: ${all.map(({ nodeId }) => nodeId).join(", ")}`,
  });
}

/** Empty for a command that is no dispatch or has not started. */
async function turnOf({ session, payloads }: RunContext, key: string): Promise<readonly NodeTurn[]> {
  const { commands, dispatches, commits } = session.view;
  const entry = commands[key];
  const dispatch = dispatches[key];
  if (entry === undefined || dispatch === undefined) return [];
  const { command, result } = entry;
  const { phase = command.state, mode } = command;
  return [
    {
      key,
      as: mode === undefined ? phase : `${phase} ${mode}`,
      agent: dispatch.agent,
      prompt: await payloads.text(dispatch.prompt),
      exit: result?.outcome ?? null,
      message: result?.text ?? null,
      payload:
        result?.payload == null ? null : ((await decisionPayload({ payloads }, result.payload)) ?? null),
      commit: commits.find((made) => made.key === key)?.commit ?? null,
    },
  ];
}
