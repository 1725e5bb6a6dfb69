/**
 * Who may use the page: tokens that work once, and the sessions that they begin. Both are in this process's memory only, as
 * hashes, so no file, environment or process list has them (SEE-07).
 */
import type { Clock } from "../../lib/clock.ts";
import { sha256 } from "../../lib/hash.ts";
import { newToken } from "../../lib/ids.ts";

export interface Sessions {
  /** A token for one address. */
  issueToken(): string;
  /** Exchanges a token for the secret of a new session. */
  enter(token: string): Entry;
  /** The secret's session, and marks it as used; null if there is none, or if it has expired. */
  use(secret: string): PageSession | null;
}

export type Entry =
  | { readonly type: "entered"; readonly secret: string }
  /** `used`: somebody else may have it, so the session that began with it is ended. */
  | { readonly type: "refused"; readonly why: "unknown" | "used" | "expired" };

export interface PageSession {
  /** Uses it again, as a page does that is open. @returns whether it may still be used */
  isOpen(): boolean;
}

export const tokenMs = 10 * 60_000;
export const idleMs = 2 * 60 * 60_000;
export const sessionMs = 12 * 60 * 60_000;
/** A clock that goes back by more than this ends what it began, since its age is unknown. */
const clockSlackMs = 60_000;
const maxSessions = 32;

interface IssuedToken {
  readonly at: number;
  /** Hash of the secret of the session that it began. */
  session: string | null;
}

interface OpenSession {
  readonly beganAt: number;
  usedAt: number;
}

export function openSessions(clock: Clock): Sessions {
  const tokens = new Map<string, IssuedToken>();
  const sessions = new Map<string, OpenSession>();

  const isOver = (since: number, maxMs: number): boolean => {
    const age = clock.now() - since;
    return age > maxMs || age < -clockSlackMs;
  };
  const isOpen = (hash: string): boolean => {
    const session = sessions.get(hash);
    if (session === undefined) return false;
    if (!isOver(session.beganAt, sessionMs) && !isOver(session.usedAt, idleMs)) return true;
    sessions.delete(hash);
    return false;
  };
  const useSession = (hash: string): boolean => {
    const session = isOpen(hash) ? sessions.get(hash) : undefined;
    if (session !== undefined) session.usedAt = clock.now();
    return session !== undefined;
  };
  const begin = (): Extract<Entry, { type: "entered" }> => {
    const secret = newToken();
    for (const hash of sessions.keys()) isOpen(hash);
    const [oldest] = [...sessions].toSorted(([, a], [, b]) => a.usedAt - b.usedAt);
    if (sessions.size >= maxSessions && oldest !== undefined) sessions.delete(oldest[0]);
    sessions.set(sha256(secret), { beganAt: clock.now(), usedAt: clock.now() });
    return { type: "entered", secret };
  };

  return {
    issueToken() {
      const token = newToken();
      tokens.set(sha256(token), { at: clock.now(), session: null });
      return token;
    },
    enter(token) {
      // Looked up by hash, so the time that it takes tells nothing about the token.
      const issued = tokens.get(sha256(token));
      if (issued === undefined) return { type: "refused", why: "unknown" };
      if (issued.session !== null) {
        sessions.delete(issued.session);
        return { type: "refused", why: "used" };
      }
      if (isOver(issued.at, tokenMs)) return { type: "refused", why: "expired" };
      const entry = begin();
      issued.session = sha256(entry.secret);
      return entry;
    },
    use(secret) {
      const hash = sha256(secret);
      const session = { isOpen: () => useSession(hash) };
      return session.isOpen() ? session : null;
    },
  };
}
