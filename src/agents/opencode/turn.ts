/** What one process of OpenCode said, gathered line by line: events for the sink, and how its last step ended. */
import type { AgentEvent } from "../agent.ts";
import { detailOf, jsonLines } from "../json-lines.ts";
import type { Line } from "../stream.ts";
import { textBuffer } from "../text-buffer.ts";
import { StreamLine, type Failure } from "./stream.ts";

export interface OpencodeTurn {
  onLine(line: Line): void;
  /** Everything it said, and what was printed beside the stream. */
  readonly text: string;
  /** Its last message: the answer, where one of a given form was demanded. */
  readonly answer: string;
  /** OpenCode's own id of the conversation. */
  readonly session: string | null;
  /** Why the last step ended, null where none has, or one was begun after it. */
  readonly reason: string | null;
  readonly failure: Failure | null;
  /** What it waits for too long, null while it does not. */
  readonly waits: string | null;
}

export interface TurnOptions {
  readonly sink: (event: AgentEvent) => void;
  /** Called once, when it begins to wait for longer than a turn should. */
  readonly onLongWait: () => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** A service that is busy is asked again; one whose quota is spent says to come back in hours. */
const maxWaitMs = 120_000;

export function opencodeTurn({ sink, onLongWait, now }: TurnOptions): OpencodeTurn {
  const said = textBuffer();
  let answer = "";
  let session: string | null = null;
  let reason: string | null = null;
  let failure: Failure | null = null;
  let waits: string | null = null;

  const take = (line: StreamLine): void => {
    session = line.sessionID;
    switch (line.type) {
      case "step_start":
        reason = null;
        return;
      case "text":
        answer = line.part.text;
        said.add(`${answer}\n`);
        return sink({ type: "text", text: answer });
      case "tool_use": {
        const { tool: name, state } = line.part;
        const call = { name, detail: detailOf(state.input) };
        sink({ type: "tool", ...call });
        if (state.status === "error" && isRefusal(state.error ?? "")) sink({ type: "denied", ...call });
        return;
      }
      case "step_finish": {
        const { tokens, cost } = line.part;
        reason = line.part.reason;
        return sink({
          type: "usage",
          inputTokens: tokens.input + tokens.cache.read + tokens.cache.write,
          outputTokens: tokens.output + tokens.reasoning,
          // A model whose price it does not know costs nothing in its eyes.
          costUsd: cost ? cost : undefined,
        });
      }
      case "error":
        failure = line.error;
        return;
      case "mettle_retry": {
        sink({ type: "retry", status: null });
        const minutes = Math.round((line.next - now()) / 60_000);
        if (waits !== null || line.next - now() <= maxWaitMs) return;
        waits = `${line.message}: it would try again in ${minutes} minutes`;
        onLongWait();
      }
    }
  };
  return {
    onLine: jsonLines({ schema: StreamLine, take, said }),
    get text() {
      return said.text;
    },
    get answer() {
      return answer;
    },
    get session() {
      return session;
    },
    get reason() {
      return reason;
    },
    get failure() {
      return failure;
    },
    get waits() {
      return waits;
    },
  };
}

/** A tool that our rules took away is unavailable to it, and one that it has may be kept from some arguments. */
function isRefusal(error: string): boolean {
  return /^Model tried to call unavailable tool|specified a rule which prevents|rejected permission/u.test(
    error,
  );
}
