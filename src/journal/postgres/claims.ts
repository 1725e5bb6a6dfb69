import { AppError } from "../../lib/errors.ts";
import { newId } from "../../lib/ids.ts";
import { runBusy } from "../journal-error.ts";
import type { RunClaim } from "../journal.ts";
import type { Owner } from "../owner.ts";
import type { PostgresStore } from "./store.ts";

export interface ClaimDeps {
  /** Whether an owner of this host still runs. */
  readonly alive: (owner: Owner) => boolean;
  /** The name of this host: only its own processes can be looked at. */
  readonly host: string;
}

interface Holder extends Owner {
  readonly host: string;
  readonly token: string;
}

/** How often another process may take and lose the claim while this one tries. */
const maxTries = 20;

/**
 * Claims of runs. Whether a process of another host runs cannot be seen from here, so its claim is never taken from it: that
 * would let two engines work on one run.
 */
export function claims({ repository, sql }: PostgresStore, { alive, host }: ClaimDeps) {
  const holderOf = async (run: string): Promise<Holder | null> => {
    const [row] = await sql(
      "SELECT pid, started, host, token FROM mettle.claims WHERE repository = $1 AND run = $2",
      repository,
      run,
    );
    if (row === undefined) return null;
    return { pid: Number(row[0]), started: String(row[1]), host: String(row[2]), token: String(row[3]) };
  };
  const isLiving = ({ pid, started, host: where }: Holder) => where !== host || alive({ pid, started });
  const busy = (run: string, holder: Holder) =>
    holder.host === host ? runBusy(run, holder) : busyElsewhere(run, holder);

  return {
    async claim(run: string, { pid, started }: Owner): Promise<RunClaim> {
      const token = newId(16);
      const release = async () =>
        void (await sql(
          "DELETE FROM mettle.claims WHERE repository = $1 AND run = $2 AND token = $3",
          repository,
          run,
          token,
        ));
      for (let tries = 1; ; tries++) {
        const holder = await holderOf(run);
        // The own token is there if the statement below ran twice.
        if (holder?.token === token) return { run, release };
        if (holder !== null && (isLiving(holder) || tries > maxTries)) throw busy(run, holder);
        const taken = await sql(
          `INSERT INTO mettle.claims AS claim (repository, run, host, pid, started, token) VALUES ($1, $2, $3, $4, $5, $6)
           ON CONFLICT (repository, run) DO UPDATE
           SET host = excluded.host, pid = excluded.pid, started = excluded.started, token = excluded.token
           WHERE claim.token = $7 RETURNING token`,
          repository,
          run,
          host,
          pid,
          started,
          token,
          holder?.token ?? null,
        );
        if (taken.length > 0) return { run, release };
      }
    },

    async owner(run: string): Promise<Owner | null> {
      const holder = await holderOf(run);
      return holder !== null && isLiving(holder) ? { pid: holder.pid, started: holder.started } : null;
    },
  };
}

function busyElsewhere(run: string, { pid, started, host }: Holder): AppError {
  return new AppError("run_busy", `run ${run} is being worked on by process ${pid} on ${host}`, {
    hint: `Wait until it is done, or stop process ${pid} on ${host}, then try again.`,
    retry: "safe",
    detail: { run, pid, started, host },
  });
}
