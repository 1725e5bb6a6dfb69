/**
 * The files in the state home that a hook reads: the facts of the referee, the session binding to the run, the typed keyword.
 * It uses the file system only, since git and the store would take too long.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { stateRoot } from "../config/home.ts";
import { findCheckout } from "../config/find-checkout.ts";
import { storedId, repositoryName } from "../config/repository-id.ts";
import {
  contextsFolder,
  factsFile,
  hookErrorsFile,
  sessionsFolder,
  triggersFolder,
  type HookFacts,
} from "../run/hook-files.ts";

export interface RunInHand {
  /** The state home of the repository. */
  readonly home: string;
  readonly facts: HookFacts;
}

/** File of a session that has called the referee. */
export interface SessionBinding {
  readonly run: string;
  /** Line of the dispatch for which the session was kept from ending. */
  readonly told: string | null;
}

/** Null: no session has a run in hand. @throws HookFactsError if the facts cannot be read */
export function findRunInHand(cwd: string): RunInHand | null {
  const gitDir = findGitDir(cwd);
  if (gitDir === null) return null;
  for (const home of homesOf(gitDir)) {
    const file = join(home, factsFile);
    if (!existsSync(file)) continue;
    const facts = readFacts(file, home);
    if (facts.gitDir === gitDir) return { home, facts };
  }
  return null;
}

/** The facts of a state home cannot be read. */
export class HookFactsError extends Error {
  readonly home: string;
  constructor(home: string, message: string) {
    super(message);
    this.home = home;
  }
}

/** Records an error for the referee's next call; if that fails too, the session continues all the same. */
export function recordError(home: string | null, message: string): void {
  if (home === null) return;
  try {
    appendFileSync(join(home, hookErrorsFile), `${JSON.stringify({ message: message.slice(0, 400) })}\n`, {
      mode: 0o600,
    });
  } catch {
    // The state home cannot be written: the referee itself will report that.
  }
}

export function bindSession({ home, facts }: RunInHand, session: string | null): void {
  const known = boundSession({ home, facts }, session);
  if (known === null) writeBinding(home, session, { run: facts.run, told: null });
}

/** Null for a session that has not called the referee, or that works on another run. */
export function boundSession({ home, facts }: RunInHand, session: string | null): SessionBinding | null {
  const file = sessionFile(home, session);
  if (file === null || !existsSync(file)) return null;
  const binding = JSON.parse(readFileSync(file, "utf8")) as SessionBinding;
  return binding.run === facts.run ? binding : null;
}

export function rememberHeld({ home, facts }: RunInHand, session: string | null, line: string): void {
  writeBinding(home, session, { run: facts.run, told: line });
}

/** File that records Orchestrate's keyword, typed by the person in a session. */
export function triggerFile(home: string, session: string | null): string | null {
  return fileIn(join(home, triggersFolder), session);
}

/** File that records the context usage of a session. */
export function contextFile(home: string, session: string | null): string | null {
  return fileIn(join(home, contextsFolder), session);
}

export interface OrchestrateSession {
  readonly checkout: string;
  readonly home: string;
}

/** The checkout and state home of a session in which the keyword was typed; null for other sessions. */
export function findOrchestrateSession(cwd: string, session: string | null): OrchestrateSession | null {
  const found = session === null ? null : findCheckout(cwd);
  if (found === null) return null;
  const home = homesOf(found.gitDir).find((each) => existsSync(triggerFile(each, session) ?? ""));
  return home === undefined ? null : { checkout: found.top, home };
}

/** State homes that may belong to this repository. */
export function homesOf(gitDir: string): readonly string[] {
  const root = stateRoot();
  if (!existsSync(root)) return [];
  const kept = storedId(gitDir);
  if (kept !== null) return [join(root, kept)].filter((home) => existsSync(home));
  const name = basename(gitDir) === ".git" ? repositoryName(dirname(gitDir)) : null;
  return readdirSync(root)
    .filter((entry) => (name === null ? true : entry.slice(0, -9) === name && /-[0-9a-f]{8}$/u.test(entry)))
    .map((entry) => join(root, entry));
}

export function findGitDir(cwd: string): string | null {
  return findCheckout(cwd)?.gitDir ?? null;
}

function readFacts(file: string, home: string): HookFacts {
  try {
    const value = JSON.parse(readFileSync(file, "utf8")) as HookFacts;
    if (value.version === 1 && typeof value.gitDir === "string" && typeof value.run === "string")
      return value;
  } catch (error) {
    throw new HookFactsError(
      home,
      `${factsFile} cannot be read: ${error instanceof Error ? error.message : ""}`,
    );
  }
  throw new HookFactsError(home, `${factsFile} is of another version of mettle`);
}

function writeBinding(home: string, session: string | null, binding: SessionBinding): void {
  writeJson(sessionFile(home, session), binding);
}

/** Does nothing for a session without a file. */
export function writeJson(file: string | null, value: object): void {
  if (file === null) return;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, JSON.stringify(value), { mode: 0o600 });
}

function sessionFile(home: string, session: string | null): string | null {
  return fileIn(join(home, sessionsFolder), session);
}

/** Null for a session without a name. */
function fileIn(folder: string, session: string | null): string | null {
  return session !== null && /^[\w-]{1,128}$/u.test(session) ? join(folder, `${session}.json`) : null;
}
