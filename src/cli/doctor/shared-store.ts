/** The checks of `mettle doctor --store`: the shared store, its workers and keys, and the remote, as an operator needs them (SCL-10). */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { storeUrl, storeVariable } from "../../config/env.ts";
import { sharedFolder } from "../../config/home.ts";
import { version } from "../../config/version.ts";
import { createOrLoadKey } from "../../evidence/keys.ts";
import { currentBranch } from "../../git/repository.ts";
import { answers, remoteOf } from "../../git/remote.ts";
import type { StoreFacts, StoredKey } from "../../journal/postgres/inspect.ts";
import { systemClock } from "../../lib/clock.ts";
import { counted } from "../../lib/counted.ts";
import { fail, ok, warn, type DoctorCheck, type DoctorContext, type DoctorFinding } from "./check.ts";

type Finding = Omit<DoctorFinding, "name">;

/** The first one that fails hides those that need its answer. */
export function sharedStoreChecks(): readonly DoctorCheck[] {
  let asked: Promise<StoreFacts> | null = null;
  /** Null: what is wrong is the finding of another check. */
  const facts = async (): Promise<StoreFacts | null> => {
    const url = storeUrl();
    if (url === null) return null;
    asked ??= import("../../journal/postgres/inspect.ts").then(({ inspectStore }) =>
      inspectStore(url, () => systemClock.now()),
    );
    return asked;
  };
  const of = (
    name: string,
    examine: (found: StoreFacts, context: DoctorContext) => Finding | null | Promise<Finding | null>,
  ): DoctorCheck => ({
    name,
    needed: true,
    async examine(context) {
      const found = await facts().catch(() => null);
      const finding = found === null ? null : await examine(found, context);
      return finding === null ? [] : [finding];
    },
  });
  const server: DoctorCheck = {
    name: "server",
    needed: true,
    async examine() {
      const found = await facts();
      return found === null ? [] : [ok(`PostgreSQL ${found.server} at ${found.place}`)];
    },
  };
  return [
    { name: "variable", needed: true, examine: async () => [variableFinding()] },
    server,
    of("writing", writingFinding),
    of("rights", rightsFinding),
    of("tables", tablesFinding),
    of("clock", clockFinding),
    of("connections", connectionsFinding),
    of("jobs", jobsFinding),
    of("workers", workersFinding),
    of("keys", keysFinding),
    { name: "remote", needed: false, examine: remoteFindings },
  ];
}

function variableFinding(): Finding {
  if (storeUrl() !== null) return ok(`${storeVariable} is set`);
  return fail(
    `${storeVariable} is not set`,
    `export ${storeVariable}=postgres://USER:PASSWORD@HOST:PORT/DATABASE`,
  );
}

function writingFinding({ isReadOnly }: StoreFacts): Finding {
  return isReadOnly
    ? fail(
        "the server only reads: it is a replica, or default_transaction_read_only is on",
        "name the primary server in the URL",
      )
    : ok("the server takes changes");
}

function rightsFinding({ missingRights }: StoreFacts): Finding {
  const [first] = missingRights;
  if (first === undefined) return ok("the user of the URL may do what a worker needs");
  const more = missingRights.length > 1 ? ` and ${missingRights.length - 1} more` : "";
  return fail(
    `the user of the URL lacks ${first}${more}`,
    `as the owner of the database: GRANT ${first} TO USER`,
  );
}

function tablesFinding({ tables }: StoreFacts): Finding {
  switch (tables) {
    case "current":
      return ok("the tables are those of this Mettle");
    case "old":
      return warn(
        "the tables are of an older Mettle",
        "the next command of this Mettle that opens the store migrates them; older ones then refuse the store",
      );
    case "missing":
      return ok("there are no tables yet; the first command that opens the store makes them");
  }
}

const maxClockMs = 5000;

function clockFinding({ clockMs }: StoreFacts): Finding {
  const seen = `the server's clock is ${Math.abs(clockMs) / 1000} s ${clockMs < 0 ? "behind" : "ahead"}`;
  if (Math.abs(clockMs) <= maxClockMs) return ok(seen);
  return warn(seen, "set both clocks by NTP; leases do not depend on it, times in logs do");
}

function connectionsFinding({ connections: { used, max } }: StoreFacts): Finding {
  const seen = `${used} of ${max} connections are used`;
  if (used < max * 0.8) return ok(seen);
  return warn(seen, "raise max_connections: a worker needs five, a command up to four (docs/scale.md)");
}

function jobsFinding({ jobs, workers }: StoreFacts): Finding {
  if (jobs === null) return ok("no job was submitted yet");
  const seen = `${counted(jobs.waiting, "job")} waiting, ${jobs.working} at work`;
  if (jobs.waiting === 0 || workers.length > 0) return ok(seen);
  return warn(seen, "start a worker: mettle worker");
}

function workersFinding({ workers }: StoreFacts): Finding {
  if (workers.length === 0) return warn("no worker is alive", "start one: mettle worker");
  const list = workers.map(({ name, version: of }) => `${name} (${of ?? "version unknown"})`).join(", ");
  const seen = `${counted(workers.length, "worker")} alive: ${list}`;
  const isMixed = workers.some((one) => one.version !== null && one.version !== version());
  return isMixed
    ? warn(seen, `this is ${version()}; upgrade workers one by one (docs/operate.md)`)
    : ok(seen);
}

async function keysFinding({ keys }: StoreFacts, { home, stateRoot }: DoctorContext): Promise<Finding> {
  const folders = [home?.keys, join(sharedFolder(stateRoot, "worker"), "keys")];
  // A key that is not there would be made by reading it.
  const present = folders.filter((one) => one !== undefined && existsSync(join(one, "evidence.pem")));
  const own = await Promise.all(present.map(async (folder) => (await createOrLoadKey(folder ?? "")).id));
  const enrolled = keys.filter(({ isRevoked }) => !isRevoked);
  const seen = `${counted(enrolled.length, "key")} enrolled`;
  const mine = own.map((id) => keys.find((key) => key.id === id) ?? null);
  const revoked = mine.find((key): key is StoredKey => key?.isRevoked === true);
  if (revoked !== undefined)
    return fail(
      `${seen}; the key of this host, ${revoked.name}, is revoked`,
      "give this host a new METTLE_HOME, and enrol its key",
    );
  if (enrolled.length > 0 && own.length > 0 && mine.includes(null))
    return warn(
      `${seen}; a key of this host is not`,
      "on a host whose key is enrolled: mettle keys enrol NAME FILE",
    );
  const names = mine.flatMap((key) => (key === null ? [] : [key.name]));
  if (names.length === 0) return ok(`${seen}; this host has none yet`);
  return ok(`${seen}; this host signs as ${names.join(" and ")}`);
}

async function remoteFindings({ repository, env }: DoctorContext): Promise<readonly Finding[]> {
  if (repository === null) return [];
  const branch = (await currentBranch(repository)) ?? "";
  const remote = await remoteOf(repository, { branch, login: env });
  if (remote === null)
    return [warn("this repository has no remote, which workers need", "git remote add origin URL")];
  const isReached = await answers(repository, remote, env);
  // Its URL may have a password.
  return [
    isReached
      ? ok(`${remote.name} answers`)
      : warn(`${remote.name} does not answer, or refuses the login`, `git ls-remote --heads ${remote.name}`),
  ];
}
