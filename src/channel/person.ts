/**
 * Decides whether a person made a call, for commands, hooks, tools and gate files. Processes that Mettle started (agents, and
 * tests that gates run) are never a person, nor is the shell of a coding agent's session; a session may do some things in the
 * person's name (ORC-69, CORE-86).
 */
import { userInfo } from "node:os";
import { variable } from "../config/env.ts";
import { AppError } from "../lib/errors.ts";
import { lineageHasVariable, eachCarrierHas, isMarked } from "../process/marks.ts";
import { markerVariable } from "../process/tree.ts";
import type { By } from "../log/by.ts";
import { dispatchVariable } from "./environment.ts";

/** Mettle sets the first for every program that it starts, the second for agents. */
const ownMarks = [markerVariable, dispatchVariable] as const;

/** Claude Code sets it for the commands of its model, and for its hooks and servers. */
const claudeMark = "CLAUDECODE";

/** Other coding agents set these only for the commands of their models. */
const shellMarks = [
  "GEMINI_CLI",
  "CODEX_SANDBOX",
  "CODEX_SANDBOX_NETWORK_DISABLED",
  "CODEX_THREAD_ID",
  "OPENCODE",
  "CURSOR_AGENT",
  "GOOSE_TERMINAL",
] as const;

/** Whether Mettle started this process, directly or indirectly. */
export function isStartedByMettle(): boolean {
  return ownMarks.some(isSet) || lineageHasVariable(ownMarks) || isMarked();
}

/** @returns the person who calls this command @throws agent_cannot_approve */
export function requirePerson(): By {
  const by = requirePersonOrSession();
  if (by.answeredBy !== "session") return by;
  throw new AppError(
    "agent_cannot_approve",
    `a coding agent's session called this (${sessionMark() ?? ""})`,
    {
      hint: "call it in a terminal of your own; in the session a gate is approved by typing `approve`",
    },
  );
}

/**
 * Who may continue a run without a decision: a person, or the session that a person works in.
 * @throws agent_cannot_approve
 */
export function requirePersonOrSession(): By {
  if (isStartedByMettle())
    throw new AppError("agent_cannot_approve", "an agent or a test of a run called this", {
      hint: "a person answers from a terminal of their own",
    });
  if (sessionMark() !== null) return authorInSession();
  // A terminal suggests a person; without a sandbox an agent could open one too.
  return { ...authorInSession(), answeredBy: process.stdin.isTTY ? "tty" : "file" };
}

/**
 * The person in the page, who was let in by an address that a person's terminal printed.
 * @param isGuarded whether a sandbox keeps the agents from what the browser knows; without one, an agent could have answered
 */
export function personInPage(isGuarded: boolean): By {
  const { who } = authorInSession();
  const by = { answeredBy: "page" as const, authenticated: isGuarded, who };
  return isGuarded ? by : { ...by, unguarded: true };
}

export function isPersonPresent(): boolean {
  return !isStartedByMettle() && sessionMark() === null;
}

/** The user of a session, not authenticated: only the coding agent says so. */
export function authorInSession(): By {
  return { answeredBy: "session", authenticated: false, who: userInfo().username };
}

/**
 * Whether a session called this hook, and not a process that its model started: Claude Code sets the project's folder in the
 * environment of its hooks, but not of its shell.
 */
export function isSessionHook(): boolean {
  if (isStartedByMettle() || shellMarks.some(isSet)) return false;
  return !isSet(claudeMark) || (isSet(projectVariable) && eachCarrierHas(claudeMark, projectVariable));
}

const projectVariable = "CLAUDE_PROJECT_DIR";

function sessionMark(): string | null {
  return [claudeMark, ...shellMarks, "AI_AGENT"].find(isSet) ?? null;
}

function isSet(name: string): boolean {
  return variable(name) !== null;
}
