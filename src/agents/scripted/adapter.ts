import { z } from "zod";
import { run } from "../../process/run.ts";
import type { Agent, AgentEvent, AgentOutcome, AgentSpec } from "../agent.ts";
import { readLines } from "../stream.ts";
import { textBuffer } from "../text-buffer.ts";
import { Report, type Cassette, type Reply, type Turn } from "./cassette.ts";

export interface ScriptedOptions {
  readonly cassette: Cassette;
  readonly vendor: string;
  /** Absolute path of the built player. */
  readonly player: string;
  /** Absolute path of the node that starts it. */
  readonly node: string;
}

/** The agent that plays a cassette: deterministic, needs no key and no network (CORE-57). */
export function scriptedAgent({ cassette, vendor, player, node }: ScriptedOptions): Agent {
  return {
    name: "scripted",
    vendor,
    probe: async () => ({ type: "ready", version: String(cassette.version) }),
    async start(spec, sink, signal) {
      const found = findReply(cassette, spec);
      if ("why" in found) return { type: "mismatch", text: "", why: found.why };
      return playReply({ reply: found, argv: [player], node, spec, sink, signal });
    },
  };
}

function findReply(cassette: Cassette, spec: AgentSpec): Reply | { readonly why: string } {
  const turns = cassette.roles[spec.role] ?? [];
  const turn = turns[spec.nth - 1] ?? repeated(turns);
  if (!turn) return { why: `the cassette has no turn ${spec.nth} for the role ${spec.role}` };
  if (spec.nudge > 0) return turn.nudges[spec.nudge - 1] ?? { does: [] };
  const missing = turn.expects.find((text) => !spec.prompt.includes(text));
  if (missing !== undefined)
    return { why: `turn ${spec.nth} of ${spec.role} expects a prompt with: ${missing}` };
  const present = turn.forbids.find((text) => spec.prompt.includes(text));
  if (present !== undefined)
    return { why: `turn ${spec.nth} of ${spec.role} forbids a prompt with: ${present}` };
  return turn;
}

function repeated(turns: readonly Turn[]): Turn | undefined {
  const last = turns.at(-1);
  return last?.repeat ? last : undefined;
}

interface Play {
  readonly reply: Reply;
  readonly node: string;
  readonly argv: readonly string[];
  readonly spec: AgentSpec;
  readonly sink: (event: AgentEvent) => void;
  readonly signal: AbortSignal;
}

async function playReply({ reply, node, argv, spec, sink, signal }: Play): Promise<AgentOutcome> {
  const said = textBuffer();
  const lines = readLines((line) => {
    const event = line.whole ? parseEvent(line.text) : null;
    if (event) {
      if (event.type === "text") said.add(`${event.text}\n`);
      return sink(event);
    }
    said.add(line.whole ? `${line.text}\n` : line.text);
  });
  const ran = await run(node, argv, {
    cwd: spec.cwd,
    env: spec.env,
    input: JSON.stringify({ does: reply.does, report: reply.report }),
    timeoutMs: spec.wallMs,
    idleMs: spec.idleMs,
    keepBytes: 64 << 10,
    signal,
    onStdout: (chunk) => lines.push(chunk),
  });
  lines.end();
  const text = said.text;
  if (ran.failedToStart !== null) return { type: "missing", text, why: ran.failedToStart };
  if (ran.aborted) return { type: "aborted", text, why: "stopped by Mettle" };
  if (ran.timedOut) return { type: "timeout", text, why: "no end before the deadline" };
  if (ran.exitCode !== 0)
    return { type: "crashed", text, why: `ended with ${ran.signal ?? `exit code ${ran.exitCode}`}` };
  return { type: "ok", text };
}

const Event = z.discriminatedUnion("type", [
  z.object({ mettle: z.literal(1), type: z.literal("text"), text: z.string() }),
  z.object({ mettle: z.literal(1), type: z.literal("tool"), name: z.string(), detail: z.string() }),
  z.object({
    mettle: z.literal(1),
    type: z.literal("usage"),
    context: z.number().optional(),
    inputTokens: z.number().optional(),
    outputTokens: z.number().optional(),
    costUsd: z.number().optional(),
  }),
  Report.extend({ mettle: z.literal(1), type: z.literal("report") }),
]);

function parseEvent(line: string): AgentEvent | null {
  if (!line.startsWith('{"mettle":1')) return null;
  try {
    const parsed = Event.safeParse(JSON.parse(line));
    if (!parsed.success) return null;
    const { mettle: _, ...event } = parsed.data;
    return event;
  } catch {
    // Not an event: the line counts as the agent's text.
    return null;
  }
}
