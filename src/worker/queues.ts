/**
 * Queues of jobs (SCL-03, SCL-04). The name of a queue says what its jobs need, so that a worker listens to those that it can serve; the
 * partition says whose limit counts.
 */
import type { Settings } from "../config/settings.ts";
import { accountOf } from "../dispatch/limits/account.ts";
import type { Command } from "../kernel/command.ts";

export interface JobQueue {
  readonly name: string;
  /** Repository of a run, account of an agent. */
  readonly partition: string;
}

export const runQueue = "run";

export function isQueueName(text: string): boolean {
  return /^(?:run|(?:check|agent \S+)(?: \+[A-Za-z0-9][A-Za-z0-9._-]*)*)$/u.test(text);
}

/** What a worker has: agents that it can start, and labels. */
export interface Offer {
  readonly agents: readonly string[];
  readonly labels: readonly string[];
}

/** The queue of a command. */
export function queueOf(settings: Settings, repository: string, command: Command): JobQueue {
  if (command.type === "dispatch") return queueOfRole(settings, command.role);
  return { name: nameOf("check", needsOf(settings)), partition: repository };
}

/** The queue of an agent's jobs; also that of a run which one worker at a time does as a whole. */
export function queueOfRole(settings: Settings, role: string): JobQueue {
  const { agents } = settings;
  const [agent = ""] = (agents.roles[role] ?? agents.default).split(":");
  return { name: nameOf(`agent ${agent}`, needsOf(settings)), partition: accountOf(settings, role) };
}

/** The queues that a worker can serve. */
export function servedQueues({ agents, labels }: Offer): readonly string[] {
  const needs = subsets([...new Set(labels)].toSorted());
  const kinds = ["check", ...agents.map((agent) => `agent ${agent}`)];
  return [runQueue, ...kinds.flatMap((kind) => needs.map((some) => nameOf(kind, some)))];
}

/** Each label doubles the number of names. */
export const maxLabels = 10;

/** Node is everywhere. Agents run tests, too. */
const languages: Readonly<Record<string, string>> = {
  pytest: "python",
  unittest: "python",
  go: "go",
  cargo: "rust",
  bun: "bun",
};

function needsOf({ runner, packages, sandbox, workers }: Settings): readonly string[] {
  const runners = [runner, ...Object.values(packages ?? {})];
  const found = runners.flatMap((name) => (name === undefined ? [] : (languages[name] ?? [])));
  const needs = [...found, ...(sandbox === "required" ? ["sandbox"] : []), ...(workers?.labels ?? [])];
  return [...new Set(needs)].toSorted();
}

function nameOf(kind: string, needs: readonly string[]): string {
  return [kind, ...needs.map((need) => `+${need}`)].join(" ");
}

function subsets(labels: readonly string[]): readonly (readonly string[])[] {
  return labels.reduce<readonly (readonly string[])[]>(
    (found, label) => [...found, ...found.map((some) => [...some, label])],
    [[]],
  );
}
