/**
 * Where a hook stands: the repository around it, the facts that the referee left, and whether this session is the one.
 * Read with the file system alone, since git and the store would take longer than everything else.
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

/** What is kept of a session that has called the referee. */
export interface SessionBinding {
  readonly run: string;
  /** The line that its end was held back for. */
  readonly told: string | null;
}

/** Null where no session has a run in hand. Throws where the facts cannot be read. */
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

/** Something in a hook failed in this state home. */
export class HookFactsError extends Error {
  readonly home: string;
  constructor(home: string, message: string) {
    super(message);
    this.home = home;
  }
}

/** Kept for the referee's next call; where even that fails, nobody is kept from working. */
export function recordError(home: string | null, message: string): void {
  if (home === null) return;
  try {
    appendFileSync(join(home, hookErrorsFile), `${JSON.stringify({ message: message.slice(0, 400) })}\n`, {
      mode: 0o600,
    });
  } catch {
    // The state home cannot be written: the session will hear that from the referee itself.
  }
}

export function bindSession({ home, facts }: RunInHand, session: string | null): void {
  const known = boundSession({ home, facts }, session);
  if (known === null) writeBinding(home, session, { run: facts.run, told: null });
}

/** Null for a session that never called the referee, or worked on another run. */
export function boundSession({ home, facts }: RunInHand, session: string | null): SessionBinding | null {
  const file = sessionFile(home, session);
  if (file === null || !existsSync(file)) return null;
  const bound = JSON.parse(readFileSync(file, "utf8")) as SessionBinding;
  return bound.run === facts.run ? bound : null;
}

export function rememberHeld({ home, facts }: RunInHand, session: string | null, told: string): void {
  writeBinding(home, session, { run: facts.run, told });
}

/** Where it is kept that the person typed Orchestrate's keyword in a session. */
export function triggerFile(home: string, session: string | null): string | null {
  return isName(session) ? join(home, triggersFolder, `${session}.json`) : null;
}

/** Where it is kept how full a session's context is. */
export function contextFile(home: string, session: string | null): string | null {
  return isName(session) ? join(home, contextsFolder, `${session}.json`) : null;
}

export interface OrchestrateSession {
  readonly checkout: string;
  readonly home: string;
}

/** Where a session is in which the keyword was typed; null for every other one. */
export function findOrchestrateSession(cwd: string, session: string | null): OrchestrateSession | null {
  const found = session === null ? null : findCheckout(cwd);
  if (found === null) return null;
  const home = homesOf(found.gitDir).find((each) => existsSync(triggerFile(each, session) ?? ""));
  return home === undefined ? null : { checkout: found.top, home };
}

/** State homes that may be this repository's. In a broken one it is not known what was meant. */
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

function writeBinding(home: string, session: string | null, bound: SessionBinding): void {
  const file = sessionFile(home, session);
  if (file === null) return;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, JSON.stringify(bound), { mode: 0o600 });
}

function sessionFile(home: string, session: string | null): string | null {
  return isName(session) ? join(home, sessionsFolder, `${session}.json`) : null;
}

function isName(session: string | null): session is string {
  return session !== null && /^[\w-]{1,128}$/u.test(session);
}
