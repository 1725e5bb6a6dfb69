/** Everything of one repository that runs share: its state home opened, its journal, payloads and signing key. */
import { AsyncLocalStorage } from "node:async_hooks";
import { mkdir } from "node:fs/promises";
import { environment, secretValues, variable, type Env } from "../config/env.ts";
import type { Settings } from "../config/settings.ts";
import { variablesForTests } from "../config/tests-schema.ts";
import { stateHome, type StateHome } from "../config/home.ts";
import { storeId, recordOwner } from "../config/repository-id.ts";
import { currentProcess, isAlive } from "../config/owner.ts";
import { createOrLoadKey, type SigningKey } from "../evidence/keys.ts";
import { openRepository, type Repository } from "../git/repository.ts";
import { filePayloads } from "../journal/file-payloads.ts";
import type { Owner } from "../journal/owner.ts";
import type { Journal } from "../journal/journal.ts";
import { openJournal } from "../journal/open.ts";
import type { Payloads } from "../journal/payloads.ts";
import { AppError } from "../lib/errors.ts";
import { systemClock, type Clock } from "../lib/clock.ts";
import type { Executor } from "../proof/ports.ts";
import type { Host } from "./context.ts";

export interface OpenHost {
  readonly repository: Repository;
  readonly home: StateHome;
  readonly journal: Journal;
  readonly payloads: Payloads;
  readonly key: SigningKey;
  readonly clock: Clock;
  readonly host: Host;
  readonly me: Owner;
}

/**
 * Opens the state of the repository that `cwd` lies in. Close the journal when done.
 * @param overrides variables that stand in for the environment's, e.g. METTLE_HOME for the demo
 */
export async function openHost(cwd: string, overrides: Env = {}): Promise<OpenHost> {
  const env = { ...environment(), ...overrides };
  const path = variable("PATH", env) ?? "/usr/bin:/bin";
  const opened = await openRepository(cwd, { path, user: env });
  const homeOf = (id: string) => stateHome({ repository: id, env, cwd });
  const repository = { ...opened, id: storeId(opened, (id) => homeOf(id).owner) };
  const home = homeOf(repository.id);
  await mkdir(home.root, { recursive: true, mode: 0o700 }).catch((cause: unknown) =>
    unwritable(home.root, cause),
  );
  recordOwner(home.owner, repository.gitDir);
  return {
    repository,
    home,
    journal: await openJournal({ home: home.root, clock: systemClock, alive: isAlive }),
    payloads: filePayloads(home.payloads),
    key: await createOrLoadKey(home.keys),
    clock: systemClock,
    host: hostOf(env, path),
    me: currentProcess(),
  };
}

/** What programs are started with here, and which values of the environment are secret. */
export function hostOf(env: Env, path: string): Host {
  const execute = executors.getStore();
  return {
    path,
    env,
    secrets: secretValues(env),
    node: process.execPath,
    ...(execute === undefined ? {} : { execute }),
  };
}

const executors = new AsyncLocalStorage<Executor>();

/** Hosts that are opened within `work` start the programs of their proofs by this. @public for the worlds of tests */
export function executingBy<Value>(execute: Executor, work: () => Promise<Value>): Promise<Value> {
  return executors.run(execute, work);
}

/** With what the settings hand on to agents and tests among the secrets. */
export function withHandedOn(host: Host, { agents, tests }: Pick<Settings, "agents" | "tests">): Host {
  return { ...host, secrets: secretValues(host.env, [...agents.env, ...variablesForTests(tests)]) };
}

/** Opens the state for one piece of work and closes it after, however that ends. */
export async function withHost<Value>(cwd: string, work: (host: OpenHost) => Promise<Value>): Promise<Value> {
  const host = await openHost(cwd);
  try {
    return await work(host);
  } finally {
    await host.journal.close();
  }
}

function unwritable(root: string, cause: unknown): never {
  throw new AppError("state_unwritable", `the state home ${root} cannot be created`, {
    hint: "set METTLE_HOME to a folder that can be written",
    cause,
  });
}
