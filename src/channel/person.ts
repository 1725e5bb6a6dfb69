/**
 * Is a person there? The one place that says so, whatever the door: a command, a hook, a tool, a gate's file. What Mettle
 * itself started, agents and the tests that its gates run, never is one; nor is what a coding agent's session starts by its
 * shell, though a session may do some things in the person's name (ORC-69, CORE-86).
 */
import { userInfo } from "node:os";
import { variable } from "../config/env.ts";
import { AppError } from "../lib/errors.ts";
import { lineageHasVariable, eachCarrierHas, isMarked } from "../process/marks.ts";
import { markerVariable } from "../process/tree.ts";
import type { By } from "../log/by.ts";
import { dispatchVariable } from "./environment.ts";

/** Every program that Mettle starts has the first, an agent the second too. */
const ownMarks = [markerVariable, dispatchVariable] as const;

/** What Claude Code gives to the commands that its model calls, and to its hooks and servers as well. */
const claudeMark = "CLAUDECODE";

/** What other coding agents give to commands that their models call, and to nothing else. */
const shellMarks = [
  "GEMINI_CLI",
  "CODEX_SANDBOX",
  "CODEX_SANDBOX_NETWORK_DISABLED",
  "CODEX_THREAD_ID",
  "OPENCODE",
  "CURSOR_AGENT",
  "GOOSE_TERMINAL",
] as const;

/** Whether Mettle started this process, directly or by whatever is between them. */
export function isStartedByMettle(): boolean {
  return ownMarks.some(isSet) || lineageHasVariable(ownMarks) || isMarked();
}

/** A person at this command line. @throws agent_cannot_approve */
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

/** Whoever may let a run go on that nobody decides about: a person, or the session that a person works in. */
export function requirePersonOrSession(): By {
  if (isStartedByMettle())
    throw new AppError("agent_cannot_approve", "an agent or a test of a run called this", {
      hint: "a person answers from a terminal of their own",
    });
  if (sessionMark() !== null) return authorInSession();
  // A terminal shows that a person can be there; without a sandbox nothing keeps an agent from opening one.
  return { ...authorInSession(), answeredBy: process.stdin.isTTY ? "tty" : "file" };
}

export function isPersonPresent(): boolean {
  return !isStartedByMettle() && sessionMark() === null;
}

/** Who types in a session, as far as the program around it can be believed. */
export function authorInSession(): By {
  return { answeredBy: "session", authenticated: false, who: userInfo().username };
}

/**
 * Whether a hook was called by a session, and not by what its model started: the project's folder stands in the environment of
 * Claude Code's hooks, and not in that of its shell.
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
