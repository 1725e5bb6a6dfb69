/** One turn of a program that tells its events in lines of its own (`event-line.ts`): the scripted agent, and any command. */
import type { AgentEvent, AgentOutcome } from "./agent.ts";
import { readEventLine, type EndEvent } from "./event-line.ts";
import type { ProgramOptions, Program } from "./program-options.ts";
import { runProgram, withLastLines } from "./program.ts";
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
  const said = textBuffer();
  const ends: EndEvent[] = [];
  const ended = await runProgram(
    {
      ...program,
      onLine({ text, whole }) {
        const event = whole ? readEventLine(text) : null;
        if (event === null) return said.add(whole ? `${text}\n` : text);
        if (event.type === "end") return void ends.push(event);
        if (event.type === "text") said.add(`${event.text}\n`);
        sink(event);
      },
    },
    spec,
    signal,
  );
  const { text } = said;
  if (ended.type !== "exited") return { ...ended, text };
  const [told] = ends;
  if (told !== undefined) return { type: told.outcome, text, why: told.why || ended.why };
  if (ended.code === 0) return { type: "ok", text };
  return withLastLines({ type: "crashed", text, why: `ended with ${ended.why}` }, ended);
}
