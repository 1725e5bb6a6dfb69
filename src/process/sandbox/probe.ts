/** Checks that bubblewrap confines on this machine, by trying to break out. The run records the result (CORE-60). */
import { createServer, type ListenOptions, type Server } from "node:net";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, relative, sep } from "node:path";
import { fileStamp } from "../../lib/files.ts";
import { run, type RunResult } from "../run.ts";
import { attemptsProgram, type SandboxAttempts } from "./attempts.ts";
import { confinedCall, isBelow, type Confinement } from "./confinement.ts";
import { rulesToShow } from "./places.ts";

/** True: the attempt failed, as it should. */
export interface BlockedAttempts {
  readonly write: boolean;
  readonly umount: boolean;
  readonly rename: boolean;
  readonly state_home: boolean;
  readonly user_home: boolean;
  readonly connect: boolean;
  /** Writing kernel settings in `/proc/sys`. */
  readonly kernel: boolean;
  /** Reading files that only root may read. */
  readonly root_only: boolean;
  /** Connecting to services of the machine; missing: the network is open. */
  readonly network?: boolean;
}

export type SandboxProbe =
  | { readonly type: "confines"; readonly version: string; readonly held: BlockedAttempts }
  | { readonly type: "absent"; readonly why: string };

export interface SandboxProbeOptions {
  /** What an agent would see outside its workspace. */
  readonly confinement: Confinement;
  readonly node: string;
  readonly path: string;
  readonly stateHome: string;
  readonly userHome: string;
}

const known = new Map<string, Promise<SandboxProbe>>();

/** Probes once per process for each bubblewrap file and pair of homes; a failed probe is repeated. */
export async function probeSandbox(probing: SandboxProbeOptions): Promise<SandboxProbe> {
  const { confinement, stateHome, userHome } = probing;
  const network = confinement.network ?? "open";
  const name = [fileStamp(confinement.bubblewrap), stateHome, userHome, network].join("\n");
  const probed = known.get(name) ?? probe(probing);
  known.set(name, probed);
  if ((await probed).type === "absent") known.delete(name);
  return probed;
}

async function probe(probing: SandboxProbeOptions): Promise<SandboxProbe> {
  const { confinement, path } = probing;
  const versionRun = await run(confinement.bubblewrap, ["--version"], {
    cwd: "/",
    env: { PATH: path },
    timeoutMs: 10_000,
  });
  const version = /\d+\.\d+\.\d+/u.exec(versionRun.stdout.toString("utf8"))?.[0];
  if (version === undefined) return { type: "absent", why: failureReason(versionRun) };
  return runAttempts(probing, version);
}

async function runAttempts(probing: SandboxProbeOptions, version: string): Promise<SandboxProbe> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "mettle-sandbox-")));
  const servers: Server[] = [];
  const listen = async (options: ListenOptions) => {
    const server = createServer((socket) => socket.end());
    servers.push(server);
    await listening(server, options);
    return server.address();
  };
  try {
    const [work, folder, socket] = [join(root, "work"), join(root, "work", "frozen"), join(root, "s")];
    const frozen = join(folder, "file");
    await mkdir(folder, { recursive: true });
    await writeFile(frozen, "");
    await listen({ path: socket });
    const services = probing.confinement.network === "loopback" ? await openServices(root, listen) : null;
    const { confinement, node, path, stateHome, userHome } = probing;
    const rules = [
      ...confinement.rules,
      ...(await rulesToShow(work, "writable", confinement.hidden)),
      { type: "readable" as const, at: folder },
    ];
    const lists = [stateHome, userHome].map((place) => ({
      folder: place,
      shown: shownIn(place, confinement),
    }));
    const attempts: SandboxAttempts = {
      frozen,
      folder,
      socket,
      lists,
      closed: closedIn(confinement),
      ...(services !== null && { services }),
    };
    const argv = ["-e", attemptsProgram, JSON.stringify(attempts)];
    const call = confinedCall({ ...confinement, rules }, { file: node, argv }, work);
    const ran = await run(call.file, call.argv, { cwd: "/", env: { PATH: path }, timeoutMs: 20_000 });
    return resultOf(ran, version);
  } finally {
    for (const server of servers) server.close();
    await rm(root, { recursive: true, force: true });
  }
}

/** Names in the folder that lead to visible paths. */
function shownIn(place: string, { rules }: Confinement): readonly string[] {
  return rules.flatMap(({ type, at }) =>
    type !== "hidden" && isBelow(at, place) ? [relative(place, at).split(sep)[0] ?? ""] : [],
  );
}

/** Paths that agents of root must not read: the closed ones, and those of every machine. For other users the kernel refuses. */
function closedIn({ rules }: Confinement): readonly string[] {
  if (process.getuid?.() !== 0) return [];
  const found = rules.flatMap(({ type, at }) => (type === "closed" ? [at] : []));
  return [...new Set(["/etc/shadow", "/etc/gshadow", "/etc/ssl/private", ...found])];
}

function resultOf(ran: RunResult, version: string): SandboxProbe {
  if (ran.exitCode !== 0) return { type: "absent", why: failureReason(ran) };
  const { lists, ...others } = JSON.parse(ran.stdout.toString("utf8")) as Omit<
    BlockedAttempts,
    "state_home" | "user_home"
  > & {
    readonly lists: readonly [boolean, boolean];
  };
  const [state_home, user_home] = lists;
  return { type: "confines", version, held: { ...others, state_home, user_home } };
}

function failureReason(ran: RunResult): string {
  if (ran.timedOut) return "no end within 20 s";
  const line = ran.stderr.toString("utf8").trim().split("\n").at(-1) ?? "";
  return line === "" ? (ran.failedToStart ?? `exit code ${ran.exitCode}`) : line.replace(/^bwrap: /u, "");
}

/** Opens a port and a socket without a file. */
async function openServices(
  root: string,
  listen: (options: ListenOptions) => Promise<ReturnType<Server["address"]>>,
): Promise<NonNullable<SandboxAttempts["services"]>> {
  const name = basename(root);
  await listen({ path: `\0${name}` });
  const address = await listen({ host: "127.0.0.1", port: 0 });
  if (address === null || typeof address === "string") throw new Error("a TCP server has no port");
  return { port: address.port, name };
}

function listening(server: Server, options: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(options, resolve);
  });
}
