/**
 * A graph's journal in words: every line begins with the node, and what belongs together is one line. Told event by event,
 * in their order.
 */
import { counted } from "../../lib/counted.ts";
import type { AskCommand, Command, DispatchCommand } from "../../kernel/command.ts";
import type { EventOf, Recorded } from "../../log/run-event.ts";
import { addFrame, nodesOfFrames } from "../../log/node-frames.ts";
import { parentIdOf } from "../../log/node-id.ts";
import { wordOf } from "../../protocol/routes.ts";
import { nodeLine, type NodeLine } from "./node-lines.ts";
import { flat } from "../run/flat-event.ts";
import { reasonLines } from "../gate/reason-lines.ts";
import type { NodeEvent } from "../../log/nodes.ts";
import type { RunView } from "../../log/run-view.ts";

/** The words, null for what is told by another event, undefined for what is none of a node. */
export type Told = string | null | undefined;

type Known = Pick<RunView, "nodes" | "order" | "commands" | "commits">;

interface Memory {
  /** Of frames that have begun. */
  readonly frames: Map<string, string>;
  readonly commands: Map<string, Command>;
  readonly commits: Map<string, EventOf<"commit.made">>;
  /** What a node locked last, until its gate is told. */
  readonly locked: Map<string, EventOf<"node.locked">>;
  root: string | null;
  /** Of the node's column. */
  width: number;
}

/** @param known what was told before, where a run goes on */
export function graphTeller(known?: Known): (event: Recorded) => Told {
  const memory = remembering(known);
  return (recorded) => {
    const event = flat(recorded);
    note(memory, event);
    if (memory.root === null) return undefined;
    const told = inWords(memory, event);
    if (told === null || told === undefined) return told;
    return `${told.node.padEnd(memory.width)}  ${told.text}`;
  };
}

function remembering(known?: Known): Memory {
  const nodes = Object.keys(known?.nodes ?? {});
  return {
    frames: known ? nodesOfFrames(known) : new Map(),
    commands: new Map(Object.entries(known?.commands ?? {}).map(([key, { command }]) => [key, command])),
    commits: new Map((known?.commits ?? []).map((commit) => [commit.key, commit])),
    locked: new Map(),
    root: nodes[0] ?? null,
    width: Math.max(0, ...nodes.map((node) => node.length)),
  };
}

function note(memory: Memory, event: Recorded): void {
  switch (event.type) {
    case "node.began":
      memory.root ??= event.node;
      memory.width = Math.max(memory.width, event.node.length);
      return;
    case "node.locked":
      memory.locked.set(event.node, event);
      return;
    case "commit.made":
      memory.commits.set(event.key, event);
      return;
    case "command.issued": {
      // The journal holds commands as the kernel made them.
      const command = event.command as Command;
      memory.commands.set(event.key, command);
      if (memory.root !== null) addFrame(memory.frames, memory.root, command);
      return;
    }
    default:
      return;
  }
}

function inWords(memory: Memory, event: Recorded): NodeLine | null | undefined {
  if (isOfNode(event)) return nodeLine(event);
  if (!("key" in event)) return undefined;
  const command = memory.commands.get(event.key);
  const node = command && memory.frames.get(command.frame);
  if (command === undefined || node === undefined) return undefined;
  const text = ofCommand(memory, { event, command, node });
  return typeof text === "string" ? { node, text } : text;
}

function isOfNode(event: Recorded): event is Recorded<NodeEvent> {
  return event.type.startsWith("node.");
}

interface Happening {
  readonly event: Extract<Recorded, { key: string }>;
  readonly command: Command;
  readonly node: string;
}

function ofCommand(memory: Memory, { event, command, node }: Happening): Told {
  const who = roleOf(command, node);
  switch (event.type) {
    case "command.issued":
      return issued(memory, command, node);
    case "dispatch.started":
      return `${who} starts${command.phase === "Impl" ? attemptOf(command) : ""}`;
    case "result":
      return result(memory, { event, command, who });
    case "gate.judged":
      return judged(memory, event, node);
    case "commit.made":
    case "record.reserved":
      return null;
    case "record.written":
      // The runs that a gate is made of stand in its own record.
      if (event.purpose === "baseline" || event.purpose.includes(".")) return null;
      return `record ${event.id}: ${event.purpose} ${event.verdict}, EXIT_CODE ${event.exitCode ?? "none"}`;
    case "work.rescued":
      return `refused or unfinished work is kept at ${event.ref}`;
    case "claim.unverified":
      return `${who}: UNVERIFIED claim "${event.phrase}", retracted`;
    case "agent.nudged":
      return `${who} is reminded to decide`;
    case "report.refused":
      return `${who}: report refused: ${event.why}`;
    case "agent.denied":
      return `${who}: its own rules denied ${event.tool}`;
    default:
      return undefined;
  }
}

/** The node of the specification that works; a child is judged by its parent's TDD. */
function roleOf(command: Command, node: string): string {
  const { phase, mode, state } = command;
  if (state === "judge") return `TDD of ${parentIdOf(node) ?? ""}`;
  return mode === undefined ? (phase ?? state) : `${phase ?? state} ${mode}`;
}

function attemptOf({ counters: { attempt } }: Command): string {
  return attempt === undefined ? "" : `, attempt ${attempt.value} of ${attempt.limit ?? "any"}`;
}

/** An agent is told of when it starts; what waits for a slot has no line. */
function issued(memory: Memory, command: Command, node: string): string | null {
  if (command.type === "ask") return asks(command, node);
  if (command.type !== "cancel") return null;
  const target = memory.commands.get(command.target);
  return target?.type === "dispatch" ? `${roleOf(target, node)} is stopped` : null;
}

function asks({ to, text }: AskCommand, node: string): string {
  return `asks ${to === "parent" ? (parentIdOf(node) ?? "") : "a person"}: ${text}`;
}

interface Ended {
  readonly event: Recorded<EventOf<"result">>;
  readonly command: Command;
  readonly who: string;
}

function result(memory: Memory, { event, command, who }: Ended): string | null {
  switch (command.type) {
    case "dispatch":
      return decided(memory, { event, command, who });
    case "ask":
      return `answered${event.outcome === "answer" ? "" : ` ${event.outcome}`}${event.by ? ` by ${event.by.who} (${event.by.answeredBy})` : ""}${said(event)}`;
    case "merge":
      return event.outcome === "moved" ? "its parent moved meanwhile: the squash is made again" : null;
    default:
      // Gates tell their verdict.
      return null;
  }
}

/** What stopped a command is told as a warning before. */
function decided(
  { commits }: Memory,
  { event, command, who }: Ended & { readonly command: DispatchCommand },
): string {
  const { outcome } = event;
  const commit = commits.get(command.key);
  const made = commit === undefined ? "" : ` (${short(commit.commit)}: ${files(commit.paths)})`;
  return `${who} → ${wordOf(outcome)}${outcome === "inconclusive" ? "" : said(event)}${made}`;
}

function said({ text }: EventOf<"result">): string {
  return text === undefined || text === "" ? "" : `: ${firstLine(text)}`;
}

function files(paths: readonly string[]): string {
  if (paths.length === 0) return "no change";
  const shown = paths.slice(0, mostFiles).join(", ");
  return paths.length > mostFiles ? `${shown} and ${paths.length - mostFiles} more` : shown;
}

const mostFiles = 2;

/** What passed is told with what must pass from now on; what did not, with the reasons. */
function judged({ locked }: Memory, { gate, verdict, reasons }: EventOf<"gate.judged">, node: string): Told {
  const what = subjects[gate];
  if (what === undefined) return undefined;
  if (verdict === "pass") {
    const lock = gate === "node_scaffold" || gate === "node_red" ? locked.get(node) : undefined;
    locked.delete(node);
    if (quietWhenPassed.has(gate)) return null;
    const tests = lock?.required.length ?? 0;
    return `${what} accepted${lock === undefined ? "" : `, ${counted(tests, "test")} must pass`}`;
  }
  const word = verdict === "fail" ? "refused" : "could not be judged";
  return [`${what} ${word}`, ...reasonLines(reasons)].join("\n");
}

const subjects: Readonly<Record<string, string>> = {
  node_scaffold: "scaffold",
  node_red: "tests",
  node_green: "work",
  node_contracts: "contracts of all children",
  squash: "squash",
  publish: "publication",
  onto_parent: "rebase by git alone",
  node_rebased: "rebase",
};

/** Their facts are told: the squash, the merge, the new base. */
const quietWhenPassed: ReadonlySet<string> = new Set(["squash", "publish", "onto_parent"]);

function short(commit: string): string {
  return commit.slice(0, 12);
}

function firstLine(text: string): string {
  const [line = ""] = text.split("\n");
  return line.length > 160 ? `${line.slice(0, 160)}…` : line;
}
