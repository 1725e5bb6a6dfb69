/** The sandbox rules that all confined programs share: agents, whose workspace is added to them, and tests. */
import { tmpdir } from "node:os";
import { dirname } from "node:path";
import { userHome, type Env } from "../config/env.ts";
import { packageRoot } from "../config/package-root.ts";
import type { Repository } from "../git/repository.ts";
import { registrations } from "../git/worktree/worktree-folder.ts";
import { findProgram } from "../process/find-program.ts";
import type { Confinement, Rule } from "../process/sandbox/confinement.ts";
import { hideableFolders, installOf, programOn, rulesToShow, toolsOn } from "../process/sandbox/places.ts";
import { closedToAgents } from "../process/sandbox/root-only.ts";
import { closedSockets } from "../process/sandbox/service-sockets.ts";
import { probeSandbox, type SandboxProbe } from "../process/sandbox/probe.ts";

export interface SandboxHost {
  /** Mettle's PATH. */
  readonly path: string;
  readonly env: Env;
  /** Absolute path of node. */
  readonly node: string;
}

export interface SandboxMachine {
  readonly host: SandboxHost;
  /** The parent of all state homes. */
  readonly stateRoot: string;
  /** Other folders to hide. */
  readonly folders?: readonly string[];
  /** Null for a probe outside of a repository. */
  readonly repository: Repository | null;
  /** Tests start no programs by Mettle's PATH, and get no network. Default: agents. */
  readonly of?: "agents" | "tests";
  /** Agents get only an own loopback interface; default: the network of the machine. Tests never get it. */
  readonly network?: "loopback";
}

/** @returns null if bubblewrap is not installed */
export async function machineConfinement(machine: SandboxMachine): Promise<Confinement | null> {
  const { host, stateRoot, folders = [], repository, of = "agents" } = machine;
  const network = of === "tests" ? "loopback" : machine.network;
  const bubblewrap = process.platform === "linux" ? await findProgram("bwrap", host.path) : null;
  if (bubblewrap === null) return null;
  const home = userHome(host.env);
  const [places, scratch] = await Promise.all([
    hideableFolders([
      "/home",
      "/root",
      "/run",
      home,
      stateRoot,
      ...folders,
      ...(await checkouts(repository)),
    ]),
    hideableFolders(["/tmp", "/var/tmp", tmpdir()]),
  ]);
  const emptied = [...scratch, ...places];
  const closed = [
    ...closedToAgents(emptied, host.path),
    ...(network === undefined ? [] : closedSockets(emptied)),
  ];
  const hidden = [
    ...scratch,
    ...places,
    ...closed.flatMap(({ type, at }) => (type === "hidden" ? [at] : [])),
  ];
  const shown = await Promise.all([
    toolsOn(of === "agents" ? host.path : "", { home, hidden }),
    programOn(host.node, { path: host.path, hidden }),
    ...[packageRoot(), packageRoot("dist"), packageRoot("node_modules"), "/etc/resolv.conf"].map((path) =>
      rulesToShow(path, "readable", hidden),
    ),
    rulesToShow(await installOf(packageRoot("package.json")), "readable", hidden),
  ]);
  const rules: Rule[] = [
    ...closed,
    ...scratch.map((at) => ({ type: "scratch" as const, at })),
    ...places.map((at) => ({ type: "hidden" as const, at })),
    ...shown.flat(),
  ];
  const user = of === "tests" ? testUser() : {};
  return { bubblewrap, rules, hidden, ...user, ...(network === undefined ? {} : { network }) };
}

/** Tests see their user as without a sandbox; root becomes another one, since a root without rights behaves like nobody. */
function testUser(): Pick<Confinement, "user"> {
  const [uid = 0, gid = 0] = [process.getuid?.(), process.getgid?.()];
  return uid === 0 ? {} : { user: { uid, gid } };
}

/** Folders with other branches and commits: each checkout of the repository, and its git directory. */
async function checkouts(repository: Repository | null): Promise<readonly string[]> {
  if (repository === null) return [];
  const worktrees = await registrations(repository, "");
  return [repository.root, repository.checkout, repository.gitDir, ...worktrees.map(({ path }) => path)];
}

export async function probeMachine(machine: SandboxMachine): Promise<SandboxProbe> {
  return probeConfinement(machine, await machineConfinement(machine));
}

export async function probeConfinement(
  machine: SandboxMachine,
  confinement: Confinement | null,
): Promise<SandboxProbe> {
  const why = process.platform === "linux" ? "bubblewrap is not installed" : "none is known for this system";
  if (confinement === null) return { type: "absent", why };
  const { path, node, env } = machine.host;
  return probeSandbox({ confinement, node, path, stateHome: machine.stateRoot, userHome: userHome(env) });
}

/** @param root state home of one repository */
export function stateRootOf(root: string): string {
  return dirname(root);
}
