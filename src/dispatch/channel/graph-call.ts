/** The channel's `memory` call: the knowledge graph for an agent that may not open the store (CORE-98). */
import type { DispatchCommand } from "../../kernel/command.ts";
import { callGraph, type GraphCallResult } from "../../memory/graph/call.ts";
import type { Graph } from "../../memory/graph/graph.ts";
import { lazy } from "../../lib/lazy.ts";
import { maskValue } from "../../lib/mask.ts";
import { isGraphCall } from "../../memory/graph/shapes.ts";
import { okAnswer, firstFault, MemoryCall, errorAnswer, type ChannelAnswer } from "../../channel/wire.ts";
import type { RunContext } from "../../run/context.ts";
import { foreignSession, openWithDialogues } from "../../memory/graph/dialogue-graph.ts";

interface GraphContext extends Pick<RunContext, "protocol" | "home" | "clock"> {
  readonly host: Pick<RunContext["host"], "secrets">;
}

export interface GraphOfDispatch {
  answer(request: unknown): Promise<ChannelAnswer>;
  close(): Promise<void>;
}

/**
 * Returns null for an isolated role, which shares only documents with others.
 * @param speak adds to the dialogue of the dispatch; null if it has none
 */
export function graphOfDispatch(
  { protocol, home, clock, host }: GraphContext,
  { role, session }: Pick<DispatchCommand, "role" | "session">,
  speak: ((content: string) => Promise<string>) | null = null,
): GraphOfDispatch | null {
  if (protocol.roles[role]?.isolated !== false) return null;
  const own = speak === null ? null : (session ?? null);
  return graphBehindChannel(
    () =>
      openWithDialogues(
        { home, clock },
        {
          sees: ({ name }) => name === own,
          observe: async (name, content) => {
            if (speak === null || name !== own) throw foreignSession(name, own);
            return speak(content);
          },
        },
      ),
    host.secrets,
  );
}

/**
 * @param open called once, before the first query
 * @param secrets values that no call stores
 */
export function graphBehindChannel(open: () => Promise<Graph>, secrets: readonly string[]): GraphOfDispatch {
  const graph = lazy(open);
  return {
    async answer(request) {
      const read = MemoryCall.safeParse(request);
      if (!read.success) return badRequest(firstFault(read.error, "").field);
      const { tool, args } = read.data;
      return isGraphCall(tool)
        ? okAnswer(withinLimit(await callGraph(graph.get, tool, maskValue(args, secrets))))
        : badRequest("tool");
    },
    close: graph.close,
  };
}

/** Max bytes that a channel's client reads, less the envelope. */
const maxBytes = 3 << 20;

function withinLimit(result: GraphCallResult): GraphCallResult {
  const bytes = Buffer.byteLength(JSON.stringify(result));
  if (bytes <= maxBytes) return result;
  return {
    type: "failed",
    why: `the answer has ${bytes} bytes; within a dispatch at most ${maxBytes} are sent\nhint: search_nodes and open_nodes give a part of the graph`,
  };
}

function badRequest(field: string): ChannelAnswer {
  return errorAnswer({
    code: "bad_request",
    message: `${field}: memory names one of the tools of the graph`,
    hint: "memory has tool and args",
    field,
  });
}
