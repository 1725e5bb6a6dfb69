/**
 * Renders a graph's journal event by event, in order: every line starts with the node, and related events share a line.
 */
import { refusedText } from "../gate/warnings.ts";
import { counted } from "../../lib/counted.ts";
import type { AskCommand, Command, DispatchCommand } from "../../kernel/command.ts";
import { byText } from "../../log/by-text.ts";
import type { EventOf, Recorded } from "../../log/run-event.ts";
import { addFrame, nodesOfFrames } from "../../log/node-frames.ts";
import { parentIdOf } from "../../log/node-id.ts";
import { wordOf } from "../../protocol/routes.ts";
import { nodeLine, type NodeLine } from "./node-lines.ts";
import { singleLineNames } from "../run/single-line-event.ts";
import { reasonLines } from "../gate/reason-lines.ts";
import type { NodeEvent } from "../../log/nodes.ts";
import type { RunView } from "../../log/run-view.ts";
import { shortCommit } from "../../lib/short-commit.ts";
import { firstLine } from "../../lib/text.ts";

/** The text; null if another event has it; undefined for an event of no node. */
export type RenderedLine = string | null | undefined;

type PriorEvents = Pick<RunView, "nodes" | "order" | "commands" | "commits">;

interface Memory {
  /** Frame -> node. */
  readonly frames: Map<string, string>;
  readonly commands: Map<string, Command>;
  readonly commits: Map<string, EventOf<"commit.made">>;
  /** The newest lock of each node, until its gate's verdict. */
  readonly locked: Map<string, EventOf<"node.locked">>;
  root: string | null;
  /** Width of the node column. */
  width: number;
}

/** @param known the earlier events of a resumed run */
export function graphRenderer(known?: PriorEvents): (event: Recorded) => RenderedLine {
  const memory = newMemory(known);
  return (recorded) => {
    const event = singleLineNames(recorded);
    remember(memory, event);
    if (memory.root === null) return undefined;
    const line = render(memory, event);
    if (line === null || line === undefined) return line;
    return `${line.node.padEnd(memory.width)}  ${line.text}`;
  };
}

function newMemory(known?: PriorEvents): Memory {
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

function remember(memory: Memory, event: Recorded): void {
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
      // The journal contains the kernel's commands unchanged.
      const command = event.command as Command;
      memory.commands.set(event.key, command);
      if (memory.root !== null) addFrame(memory.frames, memory.root, command);
      return;
    }
    default:
      return;
  }
}

function render(memory: Memory, event: Recorded): NodeLine | null | undefined {
  if (isOfNode(event)) return nodeLine(event);
  if (!("key" in event)) return undefined;
  const command = memory.commands.get(event.key);
  const node = command && memory.frames.get(command.frame);
  if (command === undefined || node === undefined) return undefined;
  const text = commandEventText(memory, { event, command, node });
  return typeof text === "string" ? { node, text } : text;
}

function isOfNode(event: Recorded): event is Recorded<NodeEvent> {
  return event.type.startsWith("node.");
}

interface CommandEvent {
  readonly event: Extract<Recorded, { key: string }>;
  readonly command: Command;
  readonly node: string;
}

function commandEventText(memory: Memory, { event, command, node }: CommandEvent): RenderedLine {
  const who = roleOf(command, node);
  switch (event.type) {
    case "command.issued":
      return issuedText(memory, command, node);
    case "dispatch.started":
      return `${who} starts${command.phase === "Impl" ? attemptOf(command) : ""}`;
    case "result":
      return resultText(memory, { event, command, who });
    case "gate.judged":
      return verdictText(memory, event, node);
    case "commit.made":
    case "record.reserved":
      return null;
    case "record.written":
      // The gate's own record includes these runs.
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
    case "network.refused":
      return `${who}: not reachable from the sandbox: ${refusedText(event)}`;
    case "agent.denied":
      return `${who}: its own rules denied ${event.tool}`;
    default:
      return undefined;
  }
}

/** The role that works. A child is judged by its parent's TDD. */
function roleOf(command: Command, node: string): string {
  const { phase, mode, state } = command;
  if (state === "judge") return `TDD of ${parentIdOf(node) ?? ""}`;
  return mode === undefined ? (phase ?? state) : `${phase ?? state} ${mode}`;
}

function attemptOf({ counters: { attempt } }: Command): string {
  return attempt === undefined ? "" : `, attempt ${attempt.value} of ${attempt.limit ?? "any"}`;
}

/** A dispatch is shown when its agent starts; one that waits for a slot has no line. */
function issuedText(memory: Memory, command: Command, node: string): string | null {
  if (command.type === "ask") return askText(command, node);
  if (command.type !== "cancel") return null;
  const target = memory.commands.get(command.target);
  return target?.type === "dispatch" ? `${roleOf(target, node)} is stopped` : null;
}

function askText({ to, text }: AskCommand, node: string): string {
  return `asks ${to === "parent" ? (parentIdOf(node) ?? "") : "a person"}: ${text}`;
}

interface CommandResult {
  readonly event: Recorded<EventOf<"result">>;
  readonly command: Command;
  readonly who: string;
}

function resultText(memory: Memory, { event, command, who }: CommandResult): string | null {
  switch (command.type) {
    case "dispatch":
      return decisionText(memory, { event, command, who });
    case "ask":
      return `answered${event.outcome === "answer" ? "" : ` ${event.outcome}`}${event.by ? ` by ${byText(event.by)}` : ""}${textSuffix(event)}`;
    case "merge":
      return event.outcome === "moved" ? "its parent moved meanwhile: the squash is made again" : null;
    default:
      // The gate's verdict is shown instead.
      return null;
  }
}

/** Leaves out the text of `inconclusive`: a warning before has it. */
function decisionText(
  { commits }: Memory,
  { event, command, who }: CommandResult & { readonly command: DispatchCommand },
): string {
  const { outcome } = event;
  const commit = commits.get(command.key);
  const made = commit === undefined ? "" : ` (${shortCommit(commit.commit)}: ${filesText(commit.paths)})`;
  return `${who} → ${wordOf(outcome)}${outcome === "inconclusive" ? "" : textSuffix(event)}${made}`;
}

function textSuffix({ text }: EventOf<"result">): string {
  return text === undefined || text === "" ? "" : `: ${firstLine(text)}`;
}

function filesText(paths: readonly string[]): string {
  if (paths.length === 0) return "no change";
  const shown = paths.slice(0, maxFiles).join(", ");
  return paths.length > maxFiles ? `${shown} and ${paths.length - maxFiles} more` : shown;
}

const maxFiles = 2;

/** A passed gate with the number of newly required tests; a failed one with the reasons. */
function verdictText(
  { locked }: Memory,
  { gate, verdict, reasons }: EventOf<"gate.judged">,
  node: string,
): RenderedLine {
  const what = subjects[gate];
  if (what === undefined) return undefined;
  if (verdict === "pass") {
    const lock = gate === "node_scaffold" || gate === "node_red" ? locked.get(node) : undefined;
    locked.delete(node);
    if (silentWhenPassed.has(gate)) return null;
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

/** Gates whose facts are shown instead: the squash, the merge, the new base. */
const silentWhenPassed: ReadonlySet<string> = new Set(["squash", "publish", "onto_parent"]);
