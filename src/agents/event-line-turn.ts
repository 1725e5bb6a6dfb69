/** Runs one turn of a program that prints event lines (`event-line.ts`): the scripted agent, or any command. */
import type { AgentEvent, AgentOutcome } from "./agent.ts";
import { readEventLine, type EndEvent } from "./event-line.ts";
import type { ProgramOptions, Program } from "./program-options.ts";
import { runProgram, withLastLines } from "./program.ts";
import type { Reset } from "./reset-time.ts";
import { textBuffer } from "./text-buffer.ts";

export interface EventLineTurn {
  readonly program: Omit<Program, "onLine">;
  readonly spec: ProgramOptions;
  readonly sink: (event: AgentEvent) => void;
  readonly signal: AbortSignal;
}

export async function runEventLineTurn({
  program,
  spec,
  sink,
  signal,
}: EventLineTurn): Promise<AgentOutcome> {
  const output = textBuffer();
  const ends: EndEvent[] = [];
  const print = (text: string): void => {
    output.add(text);
    sink({ type: "printed", text });
  };
  const ended = await runProgram(
    {
      ...program,
      onLine({ text, whole }) {
        const event = whole ? readEventLine(text) : null;
        if (event === null) return print(whole ? `${text}\n` : text);
        if (event.type === "end") return void ends.push(event);
        if (event.type === "text") output.add(`${event.text}\n`);
        sink(event);
      },
    },
    spec,
    signal,
  );
  const { text } = output;
  if (ended.type !== "exited") return { ...ended, text };
  const [end] = ends;
  if (end !== undefined) return { type: end.outcome, text, why: end.why || ended.why, ...resetOf(end) };
  if (ended.code === 0) return { type: "ok", text };
  return withLastLines({ type: "crashed", text, why: `ended with ${ended.why}` }, ended);
}

function resetOf({ resetsAt, retryAfterMs }: EndEvent): { readonly resets?: Reset } {
  if (resetsAt !== undefined) return { resets: { at: Date.parse(resetsAt) } };
  return retryAfterMs === undefined ? {} : { resets: { inMs: retryAfterMs } };
}
