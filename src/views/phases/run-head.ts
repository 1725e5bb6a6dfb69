/** What runs: the task, and below it the protocol, the run and its agents. Pure. */
import { safeLine } from "../../lib/safe-text.ts";
import { shortCommit } from "../../lib/short-commit.ts";
import type { RunView } from "../../log/run-view.ts";
import type { StyledLine } from "../styled.ts";

export function runHead({ run, started }: Pick<RunView, "run" | "started">): readonly StyledLine[] {
  if (started === null) return [];
  const { task, protocol, base, agents } = started;
  const facts = [protocol, `run ${run}`, `from ${shortCommit(base)}`, ...agentsOf(agents)];
  return [[{ text: safeLine(task), tone: "strong" }], [{ text: safeLine(facts.join(" · ")), tone: "dim" }]];
}

/** `agents: claude, reviewer codex`; only as the person gave them. */
function agentsOf(agents: Readonly<Record<string, string>>): readonly string[] {
  const named = Object.entries(agents).map(([role, agent]) =>
    role === "default" ? shortName(agent) : `${role} ${shortName(agent)}`,
  );
  return named.length === 0 ? [] : [`${named.length === 1 ? "agent" : "agents"}: ${named.join(", ")}`];
}

/** A cassette or program by its name, without its folder. */
function shortName(agent: string): string {
  const [kind = "", ...rest] = agent.split(":");
  return rest.length === 0 ? lastPart(kind) : `${kind}:${lastPart(rest.join(":"))}`;
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
