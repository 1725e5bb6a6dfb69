import { setTimeout as pause } from "node:timers/promises";
import { AppError } from "../../lib/errors.ts";
import { newId } from "../../lib/ids.ts";
import { claimLost, runBusy } from "../journal-error.ts";
import { claimName, type RunClaim } from "../journal.ts";
import type { Owner } from "../owner.ts";
import { hostOf, relationOf, textOf, type ClaimHost } from "./claim-host.ts";
import { postgresError } from "./postgres-error.ts";
import { releaseClaim, type RenewedClaim } from "./renewals.ts";
import type { PostgresStore } from "./store.ts";

export interface ClaimDeps {
  /** Whether an owner of this host still runs. */
  readonly alive: (owner: Owner) => boolean;
  /** Only processes of this host can be looked at. */
  readonly host: ClaimHost;
}

/** A row of claims. A released claim keeps its row, so that no epoch is used twice. */
interface ClaimRow extends Owner {
  readonly host: ClaimHost;
  /** Null: released. */
  readonly token: string | null;
  readonly epoch: number;
  /** Since the newest sign of life, by the server's clock alone. */
  readonly silentMs: number;
  /** The server process of the newest sign of life, if it has ended: so has the holder, or its connection broke. */
  readonly ended: number | null;
}

/** A claim of this journal. */
interface Held {
  readonly token: string;
  readonly claim: RenewedClaim;
  readonly stop: () => void;
}

/** How often another process may take and lose the claim while this one tries. */
const maxTries = 20;
/** A claim of another host without a sign of life for that long may be taken. */
const leaseMs = 4000;
/**
 * How long the server must have answered before: after it was away all claims are old, and their living holders need this time to renew
 * (see renewals.ts). It also outlasts a step of the server's clock.
 */
const watchMs = 1500;
/** The same for a claim whose holder has no connection: a living one comes back at once (see renewals.ts). */
const goneMs = 750;
const lookMs = 100;
/** After a slower answer the server counts as away before. */
const promptMs = 500;
const maxLooks = 100;

/** The server's clock may be set back. */
const silence = "abs(extract(epoch FROM clock_timestamp() - claim.seen) * 1000)::float8";
/** Null while it runs. Behind a pooler of connections it runs on, and the lease decides. */
const endedBackend = `CASE WHEN claim.backend NOT IN (SELECT pid FROM pg_stat_activity) THEN claim.backend END`;

/**
 * Claims of runs. Whether a process of another host runs cannot be seen from here, so it gives signs of life (SCL-05). A process of this
 * host keeps its claim while it lives, even stopped.
 */
export function claims({ place, renewals, repository, sql }: PostgresStore, { alive, host }: ClaimDeps) {
  const held = new Map<string, Held>();

  const look = async (run: string): Promise<ClaimRow | null> => {
    const [row] = await sql(
      `SELECT pid, started, host, token, epoch, ${silence}, ${endedBackend} FROM mettle.claims AS claim
       WHERE repository = $1 AND run = $2`,
      repository,
      run,
    );
    if (row === undefined) return null;
    const [pid, started, where, token, epoch, silentMs, ended] = row;
    return {
      pid: Number(pid),
      started: String(started),
      host: hostOf(String(where)),
      token: typeof token === "string" ? token : null,
      epoch: Number(epoch),
      silentMs: Number(silentMs),
      ended: typeof ended === "number" ? ended : null,
    };
  };

  /** `unseen`: on another host, where only signs of life show it. */
  const standingOf = (row: ClaimRow | null): "free" | "living" | "unseen" => {
    if (row === null || row.token === null) return "free";
    const relation = relationOf(row.host, host);
    if (relation === "elsewhere") return "unseen";
    return relation === "here" && alive(row) ? "living" : "free";
  };

  /**
   * Whether the holder gives no sign of life for the lease, or has no connection for a while, at the end of which the server answered
   * without a pause.
   */
  const staysSilent = async (run: string, first: ClaimRow): Promise<boolean> => {
    let row: ClaimRow | null = first;
    let since = performance.now();
    let goneSince = since;
    for (let looks = 1; looks <= maxLooks; looks++) {
      if (row === null || row.token !== first.token) return false;
      const now = performance.now();
      if (row.ended === null || row.ended !== first.ended) goneSince = now;
      const isGone = now - goneSince >= goneMs && row.silentMs >= goneMs;
      if (isGone || (row.silentMs >= leaseMs && now - since >= watchMs)) return true;
      if (row.ended === null && row.silentMs < leaseMs - watchMs) return false;
      await pause(lookMs);
      const asked = performance.now();
      row = await look(run);
      if (performance.now() - asked > promptMs) since = goneSince = performance.now();
    }
    return false;
  };

  /** @returns whether the claim is this call's now */
  const take = async (run: string, { pid, started }: Owner, row: ClaimRow | null, token: string) => {
    const taken = await sql(
      `INSERT INTO mettle.claims AS claim (repository, run, host, pid, started, token) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (repository, run) DO UPDATE
       SET host = excluded.host, pid = excluded.pid, started = excluded.started, token = excluded.token,
           epoch = claim.epoch + 1, seen = clock_timestamp(), backend = NULL
       WHERE claim.epoch = $7 AND (claim.token IS NULL OR $8 OR ${silence} >= $9 OR claim.backend = $10) RETURNING epoch`,
      repository,
      run,
      textOf(host),
      pid,
      started,
      token,
      row?.epoch ?? 0,
      standingOf(row) === "free",
      leaseMs,
      row?.ended ?? null,
    );
    return taken.length > 0;
  };

  const hold = (run: string, token: string): RunClaim => {
    const lost = new AbortController();
    const claim: RenewedClaim = {
      token,
      taken: () => lost.abort(claimLost(run)),
      cutOff: (cause) => lost.abort(postgresError(cause, place)),
    };
    const stop = renewals.keep(claim);
    held.set(run, { token, claim, stop });
    return {
      run,
      lost: lost.signal,
      async confirm() {
        const mine = await sql("SELECT FROM mettle.claims WHERE token = $1", token);
        if (mine.length === 0) claim.taken();
        lost.signal.throwIfAborted();
      },
      async release() {
        stop();
        if (held.get(run)?.token === token) held.delete(run);
        if (lost.signal.aborted) return renewals.releaseLater(token);
        try {
          await sql(releaseClaim, token);
        } catch (error) {
          renewals.releaseLater(token);
          throw error;
        }
      },
    };
  };

  return {
    async claim(run: string, owner: Owner, part?: string): Promise<RunClaim> {
      const token = newId(16);
      const name = claimName(run, part);
      for (let tries = 1; ; tries++) {
        const row = await look(name);
        // The own token is there if the statement ran twice.
        if (row?.token === token) return hold(run, token);
        const standing = standingOf(row);
        const isHeld = standing === "living" || tries > maxTries;
        if (row !== null && (isHeld || (standing === "unseen" && !(await staysSilent(name, row)))))
          throw relationOf(row.host, host) === "here" ? runBusy(run, row) : busyElsewhere(run, row);
        if (await take(name, owner, row, token)) return hold(run, token);
      }
    },

    async owner(run: string): Promise<Owner | null> {
      const row = await look(run);
      const standing = standingOf(row);
      const isLiving = standing === "living" || (standing === "unseen" && (row?.silentMs ?? 0) < leaseMs);
      return row !== null && isLiving ? { pid: row.pid, started: row.started } : null;
    },

    /** The token of this journal's claim; null: it claimed nothing, and writes like a person who answers. */
    tokenOf: (run: string): string | null => held.get(run)?.token ?? null,

    /** The store refused an append of this claim. */
    taken: (run: string): void => held.get(run)?.claim.taken(),

    /** Renews nothing more; after the lease other processes can take the claims. */
    stop(): void {
      for (const { stop } of held.values()) stop();
    },
  };
}

/** @returns what may be claimed now, if the holder does not come back */
export async function silentClaims({ repository, sql }: PostgresStore): Promise<readonly string[]> {
  const rows = await sql(
    `SELECT run FROM mettle.claims AS claim WHERE repository = $1 AND token IS NOT NULL
     AND (${silence} >= $2 OR ${endedBackend} IS NOT NULL)`,
    repository,
    leaseMs - watchMs,
  );
  return rows.map(([run]) => String(run));
}

function busyElsewhere(run: string, { pid, started, host: { name: host } }: ClaimRow): AppError {
  return new AppError("run_busy", `run ${run} is being worked on by process ${pid} on ${host}`, {
    hint: `Wait until it is done, or stop process ${pid} on ${host}, then try again.`,
    retry: "safe",
    detail: { run, pid, started, host },
  });
}
