/** Reads the stream of one OpenCode process: events for the sink, and the end of the last step. */
import { counted } from "../../lib/counted.ts";
import type { AgentEvent } from "../agent.ts";
import { detailOf, jsonLines } from "../json-lines.ts";
import type { OutputLine } from "../stream.ts";
import { textBuffer } from "../text-buffer.ts";
import { OpencodeLine, type OpencodeFailure } from "./stream.ts";

export interface OpencodeTurn {
  onLine(line: OutputLine): void;
  /** The messages of the agent, and what was printed outside the stream. */
  readonly text: string;
  /** The last message: the structured answer, if one was required. */
  readonly answer: string;
  /** OpenCode's id of the conversation. */
  readonly session: string | null;
  /** Why the last step ended; null: no step has ended, or another one has begun. */
  readonly reason: string | null;
  readonly failure: OpencodeFailure | null;
  /** Why OpenCode waits longer than allowed; null: it does not. */
  readonly waits: string | null;
  /** Until when it would wait, in milliseconds since the epoch. */
  readonly waitsUntil: number | null;
}

export interface TurnOptions {
  readonly sink: (event: AgentEvent) => void;
  /** Called once, when OpenCode begins to wait longer than allowed. */
  readonly onLongWait: () => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** A busy service is retried soon; an exhausted quota means a wait of hours. */
const maxWaitMs = 120_000;

export function opencodeTurn({ sink, onLongWait, now }: TurnOptions): OpencodeTurn {
  const output = textBuffer();
  let answer = "";
  let session: string | null = null;
  let reason: string | null = null;
  let failure: OpencodeFailure | null = null;
  let waits: string | null = null;
  let waitsUntil: number | null = null;

  const take = (line: OpencodeLine): void => {
    session = line.sessionID;
    switch (line.type) {
      case "step_start":
        reason = null;
        return;
      case "text":
        answer = line.part.text;
        output.add(`${answer}\n`);
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
          // OpenCode reports 0 for a model with an unknown price.
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
        waitsUntil = line.next;
        waits = `${line.message}: it would try again in ${counted(minutes, "minute")}`;
        onLongWait();
      }
    }
  };
  return {
    onLine: jsonLines({ schema: OpencodeLine, take, output }),
    get text() {
      return output.text;
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
    get waitsUntil() {
      return waitsUntil;
    },
  };
}

/** A tool that our rules removed, or arguments that a rule forbids. */
function isRefusal(error: string): boolean {
  return /^Model tried to call unavailable tool|specified a rule which prevents|rejected permission/u.test(
    error,
  );
}
