/** What all runs of a repository share: the opened state home, journal, payloads and signing key. */
import { AsyncLocalStorage } from "node:async_hooks";
import { mkdir } from "node:fs/promises";
import { environment, programPath, secretValues, type Env } from "../config/env.ts";
import type { Settings } from "../config/settings.ts";
import { variablesForTests } from "../config/test-variables.ts";
import { stateHome, type StateHome } from "../config/home.ts";
import { storeId, recordOwner } from "../config/repository-id.ts";
import { currentProcess } from "../config/owner.ts";
import { keyLoader } from "../evidence/keys.ts";
import { openRepository, type RepositoryOptions, type Repository } from "../git/repository.ts";
import { settledHome, type SettleOptions } from "../git/settle-store.ts";
import { openHomeStore, type HomeStore } from "../journal/home-store.ts";
import type { Owner } from "../journal/owner.ts";
import type { Journal } from "../journal/journal.ts";
import type { News } from "../journal/news.ts";
import type { Payloads } from "../journal/payloads.ts";
import { AppError } from "../lib/errors.ts";
import { systemClock, type Clock } from "../lib/clock.ts";
import type { Executor } from "../proof/ports.ts";
import type { Host } from "./context.ts";
import type { People } from "../journal/people/people.ts";
import { permits, type Permits } from "./people/decide.ts";
import { hostKeys, type HostKeys } from "./host-keys.ts";

export interface OpenHost extends HostKeys {
  readonly repository: Repository;
  readonly home: StateHome;
  readonly journal: Journal;
  readonly payloads: Payloads;
  /** Of a run; the caller ends it. */
  readonly newsOf: (run: string) => News;
  readonly clock: Clock;
  readonly host: Host;
  readonly me: Owner;
  readonly people: People;
  readonly permits: Permits;
}

export type HostOptions = Pick<RepositoryOptions, "anyVersion"> &
  Pick<SettleOptions, "shared"> & {
    /** That of the repository, which the caller has opened. */
    readonly store?: HomeStore;
  };

/**
 * Opens the state of the repository that contains `cwd`. The caller closes the journal.
 * @param overrides variables that override the environment's, e.g. METTLE_HOME for the demo
 */
export async function openHost(
  cwd: string,
  overrides: Env = {},
  { shared, store: given, ...options }: HostOptions = {},
): Promise<OpenHost> {
  const env = { ...environment(), ...overrides };
  const path = programPath(env);
  const opened = await openRepository(cwd, { path, user: env, ...options });
  const ownerOf = (id: string) => stateHome({ repository: id, env, cwd }).owner;
  const repository = { ...opened, id: storeId(opened, ownerOf) };
  const home = await settledHome(repository, { env, cwd, shared });
  await mkdir(home.root, { recursive: true, mode: 0o700 }).catch((cause: unknown) =>
    unwritable(home.root, cause),
  );
  recordOwner(home.owner, repository.gitDir);
  const { register, people, ...store } = given ?? (await openHomeStore(home, systemClock));
  return {
    repository,
    home,
    ...store,
    ...hostKeys(keyLoader(home.keys), register),
    clock: systemClock,
    host: hostOf(env, path),
    me: currentProcess(),
    people,
    permits: permits(people, home.store.kind === "postgres" ? home.store.repository : repository.id),
  };
}

/** The environment for started programs, and its secret values. */
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

/** Hosts opened within `work` start test programs with `execute`. @public for tests */
export function withExecutor<Value>(execute: Executor, work: () => Promise<Value>): Promise<Value> {
  return executors.run(execute, work);
}

/** Adds the variables that the settings forward to agents and tests to the secrets. */
export function withForwardedSecrets(
  host: Host,
  { agents, tests }: Pick<Settings, "agents" | "tests">,
): Host {
  return { ...host, secrets: secretValues(host.env, [...agents.env, ...variablesForTests(tests)]) };
}

/** Opens the state for `work` and always closes it afterwards. */
export async function withHost<Value>(
  cwd: string,
  work: (host: OpenHost) => Promise<Value>,
  options: HostOptions = {},
): Promise<Value> {
  const host = await openHost(cwd, {}, options);
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
