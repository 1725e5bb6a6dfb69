import { AppError } from "../../lib/errors.ts";
import { newId } from "../../lib/ids.ts";
import { runBusy } from "../journal-error.ts";
import type { RunClaim } from "../journal.ts";
import type { Owner } from "../owner.ts";
import type { PostgresStore } from "./store.ts";

export interface ClaimDeps {
  /** Whether an owner of this host still runs. */
  readonly alive: (owner: Owner) => boolean;
  /** Only processes of this host can be looked at. */
  readonly host: ClaimHost;
}

/** Where a process runs. Containers and machines may have one name, and a process id means something in one place only. */
export interface ClaimHost {
  /** For people. */
  readonly name: string;
  /** The state home: that of a container or machine stays the same over its starts. */
  readonly home: string;
  /** Changes with each start of the machine. */
  readonly boot: string;
  /** Within it, process ids are unique. */
  readonly processes: string;
}

interface Holder extends Owner {
  readonly host: ClaimHost;
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
    const [pid, started, where, token] = row;
    return { pid: Number(pid), started: String(started), host: hostOf(String(where)), token: String(token) };
  };
  const isLiving = (holder: Holder) => {
    switch (relationOf(holder.host, host)) {
      case "here":
        return alive(holder);
      case "earlier":
        return false;
      case "elsewhere":
        return true;
    }
  };
  const busy = (run: string, holder: Holder) =>
    relationOf(holder.host, host) === "here" ? runBusy(run, holder) : busyElsewhere(run, holder);

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
          textOf(host),
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

/** `earlier`: the machine of this state home was started again since, so no process of that time runs. */
function relationOf(holder: ClaimHost, here: ClaimHost): "here" | "earlier" | "elsewhere" {
  if (holder.name !== here.name || holder.home !== here.home) return "elsewhere";
  if (holder.boot !== here.boot) return "earlier";
  return holder.processes === here.processes ? "here" : "elsewhere";
}

/** One column has it all; names of hosts have no blanks. */
function textOf({ name, home, boot, processes }: ClaimHost): string {
  return [name, home, boot, processes].join(" ");
}

function hostOf(text: string): ClaimHost {
  const [name = "", home = "", boot = "", processes = ""] = text.split(" ");
  return { name, home, boot, processes };
}

function busyElsewhere(run: string, { pid, started, host: { name: host } }: Holder): AppError {
  return new AppError("run_busy", `run ${run} is being worked on by process ${pid} on ${host}`, {
    hint: `Wait until it is done, or stop process ${pid} on ${host}, then try again.`,
    retry: "safe",
    detail: { run, pid, started, host },
  });
}
