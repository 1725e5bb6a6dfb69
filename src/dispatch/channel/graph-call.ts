/** `memory` at the channel: the repository's knowledge graph for an agent that may not open the store itself (CORE-98). */
import type { DispatchCommand } from "../../kernel/command.ts";
import { callGraph, type GraphCallResult } from "../../memory/graph/call.ts";
import type { Graph } from "../../memory/graph/graph.ts";
import { lazily } from "../../lib/lazily.ts";
import { isGraphCall } from "../../memory/graph/shapes.ts";
import { okAnswer, firstFault, MemoryCall, errorAnswer, type Answer } from "../../channel/wire.ts";
import type { RunContext } from "../../run/context.ts";
import { foreignSession, openWithDialogues } from "../../memory/graph/dialogue-graph.ts";

export interface GraphOfDispatch {
  answer(request: unknown): Promise<Answer>;
  close(): Promise<void>;
}

/**
 * An isolated role shares nothing with others but what its documents say, so it has no graph: null.
 * @param speak adds to the dialogue of the dispatch; null where it has none
 */
export function graphOfDispatch(
  { protocol, home, clock }: Pick<RunContext, "protocol" | "home" | "clock">,
  { role, session }: Pick<DispatchCommand, "role" | "session">,
  speak: ((content: string) => Promise<string>) | null = null,
): GraphOfDispatch | null {
  if (protocol.roles[role]?.isolated !== false) return null;
  const own = speak === null ? null : (session ?? null);
  return graphBehindChannel(() =>
    openWithDialogues(
      { home: home.root, clock },
      {
        sees: ({ name }) => name === own,
        observe: async (asked, content) => {
          if (speak === null || asked !== own) throw foreignSession(asked, own);
          return speak(content);
        },
      },
    ),
  );
}

/** @param open called once, when the graph is first asked */
export function graphBehindChannel(open: () => Promise<Graph>): GraphOfDispatch {
  const graph = lazily(open);
  return {
    async answer(request) {
      const read = MemoryCall.safeParse(request);
      if (!read.success) return badRequest(firstFault(read.error, "").field);
      const { tool, args } = read.data;
      return isGraphCall(tool)
        ? okAnswer(withinLimit(await callGraph(graph.get, tool, args)))
        : badRequest("tool");
    },
    close: graph.close,
  };
}

/** What the caller of a channel reads at most, less what stands around it. */
const maxBytes = 3 << 20;

function withinLimit(told: GraphCallResult): GraphCallResult {
  const bytes = Buffer.byteLength(JSON.stringify(told));
  if (bytes <= maxBytes) return told;
  return {
    type: "failed",
    why: `the answer has ${bytes} bytes; within a dispatch at most ${maxBytes} are told\nhint: search_nodes and open_nodes give a part of the graph`,
  };
}

function badRequest(field: string): Answer {
  return errorAnswer({
    code: "bad_request",
    message: `${field}: memory names one of the tools of the graph`,
    hint: "memory has tool and args",
    field,
  });
}
