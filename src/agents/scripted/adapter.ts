import { setTimeout } from "node:timers/promises";
import type { Agent, AgentEvent, AgentOutcome, AgentSpec } from "../agent.ts";
import { abortReason } from "../program.ts";
import { textBuffer } from "../text-buffer.ts";
import { runEventLineTurn } from "../event-line-turn.ts";
import type { Cassette, Reply, CassetteTurn } from "./cassette.ts";
import { isPlain, performPlain, report, type PlainReply } from "./plain-steps.ts";

export interface ScriptedOptions {
  readonly cassette: Cassette;
  readonly vendor: string;
  /** Absolute path of the built player. */
  readonly player: string;
  /** Absolute path of the Node.js program that runs the player. */
  readonly node: string;
}

/** The agent that plays a cassette: deterministic, needs no key and no network (CORE-57). */
export function scriptedAgent({ cassette, vendor, player, node }: ScriptedOptions): Agent {
  return {
    name: "scripted",
    vendor,
    remembers: cassette.conversations !== "none",
    // The cassette contains everything the agent knows.
    ...(cassette.conversations === "forks" ? { forks: async () => "native" as const } : {}),
    probe: async () => ({ type: "ready", version: String(cassette.version) }),
    async start(spec, sink, signal) {
      const found = findReply(cassette, spec);
      if ("why" in found) return { type: "mismatch", text: "", why: found.why };
      // Confinement, and steps that can be interrupted, need a separate process.
      const plain = found.does.filter(isPlain);
      if (spec.confinement === undefined && plain.length === found.does.length)
        return playInProcess({ ...found, does: plain }, { spec, sink, signal });
      const { onRunning } = spec;
      const onOpen = (write: (text: string) => void) =>
        onRunning?.((_text, nudge) => write(lineOf(reminderReply(cassette, spec, nudge))));
      const reminders = onRunning === undefined ? {} : { onOpen };
      return runEventLineTurn({
        program: { file: node, argv: [player], env: spec.env, input: lineOf(found), ...reminders },
        spec,
        sink,
        signal,
      });
    },
  };
}

interface PlayOptions {
  readonly spec: AgentSpec;
  readonly sink: (event: AgentEvent) => void;
  readonly signal: AbortSignal;
}

/** Without a process, which would take longer than such a turn. */
async function playInProcess(reply: PlainReply, { spec, sink, signal }: PlayOptions): Promise<AgentOutcome> {
  // Makes sure that changed files get a later time: file systems count in steps of a few milliseconds.
  await setTimeout(10);
  if (signal.aborted) return { type: "aborted", text: "", why: abortReason };
  const output = textBuffer();
  const emit = (event: AgentEvent) => {
    if (event.type === "text") output.add(`${event.text}\n`);
    sink(event);
  };
  try {
    for (const step of reply.does) performPlain(step, { cwd: spec.cwd, emit });
  } catch (error) {
    return { type: "crashed", text: output.text, why: `ended with exit code 1: ${String(error)}` };
  }
  report(reply, emit);
  return { type: "ok", text: output.text };
}

function lineOf({ does, report }: Reply): string {
  return `${JSON.stringify({ does, report })}\n`;
}

/** The reply to a reminder within the turn; without a scripted one the turn continues. */
function reminderReply(cassette: Cassette, spec: AgentSpec, nudge: number): Reply {
  const found = findReply(cassette, { ...spec, nudge });
  return "why" in found ? { does: [] } : found;
}

function findReply(cassette: Cassette, spec: AgentSpec): Reply | { readonly why: string } {
  const turns = cassette.nodes[spec.node ?? ""]?.[spec.role] ?? cassette.roles[spec.role] ?? [];
  const turn = turns[spec.nth - 1] ?? repeated(turns);
  const who = spec.node === undefined ? "" : ` of the node ${spec.node}`;
  if (!turn) return { why: `the cassette has no turn ${spec.nth} for the role ${spec.role}${who}` };
  if (spec.nudge > 0) return turn.nudges[spec.nudge - 1] ?? { does: [] };
  const other = turn.prompt === undefined ? null : firstDifference(turn.prompt, spec.prompt);
  if (other !== null)
    return { why: `turn ${spec.nth} of ${spec.role} was recorded with another prompt: ${other}` };
  const missing = turn.expects.find((text) => !spec.prompt.includes(text));
  if (missing !== undefined)
    return { why: `turn ${spec.nth} of ${spec.role} expects a prompt with: ${missing}` };
  const present = turn.forbids.find((text) => spec.prompt.includes(text));
  if (present !== undefined)
    return { why: `turn ${spec.nth} of ${spec.role} forbids a prompt with: ${present}` };
  return turn;
}

function repeated(turns: readonly CassetteTurn[]): CassetteTurn | undefined {
  const last = turns.at(-1);
  return last?.repeat ? last : undefined;
}

/** Describes the first difference; null: none. Times differ in every run and are ignored. */
function firstDifference(recorded: string, given: string): string | null {
  const [before, now] = [recorded.split("\n"), given.split("\n")];
  for (let line = 0; line < Math.max(before.length, now.length); line++) {
    const [was, is] = [before[line], now[line]];
    if (was === undefined || is === undefined || withoutTimes(was) !== withoutTimes(is))
      return `line ${line + 1} was ${quotedLine(was)} and is ${quotedLine(is)}`;
  }
  return null;
}

function withoutTimes(line: string): string {
  return line
    .replace(/\b\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:?\d{2})?/gu, "TIME")
    .replace(/\bduration_ms:? *[\d.]+/gu, "DURATION")
    .replace(/\b\d+(?:\.\d+)? ?m?s\b/gu, "DURATION");
}

function quotedLine(line: string | undefined): string {
  return line === undefined ? "absent" : JSON.stringify(line.slice(0, 200));
}
