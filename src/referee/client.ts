/** The client that holds a dispatch: a process, or one of the sessions that a process serves over HTTP. */
import { existsSync } from "node:fs";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isAlive, type ProcessIdentity } from "../config/owner.ts";

/** A process that calls the referee for the user's session. */
export interface Client extends ProcessIdentity {
  /** Id of one of several sessions of the process. It exists as long as its file. */
  readonly seat?: string;
}

export function nameOf({ pid, started, seat }: Client): string {
  return `${pid}@${started}${seat === undefined ? "" : `#${seat}`}`;
}

export function parseClient(name: string): Client {
  const [pid = "", rest = ""] = name.split(/@(.*)/su);
  const [started = "", seat] = rest.split("#");
  return { pid: Number(pid), started, ...(seat === undefined ? {} : { seat }) };
}

export function isPresent(home: string, client: Client): boolean {
  return isAlive(client) && (client.seat === undefined || existsSync(fileOf(home, client.seat, client)));
}

/** Registers a session until `leaveSeat`, or the end of the process. */
export async function takeSeat(home: string, client: ProcessIdentity, seat: string): Promise<Client> {
  await mkdir(folderOf(home), { recursive: true, mode: 0o700 });
  for (const name of await readdir(folderOf(home)))
    if (!isAlive({ pid: Number.parseInt(name, 10), started: "" }))
      await rm(join(folderOf(home), name), { force: true });
  await writeFile(fileOf(home, seat, client), "", { mode: 0o600 });
  return { ...client, seat };
}

export async function leaveSeat(home: string, { seat, ...client }: Client): Promise<void> {
  if (seat !== undefined) await rm(fileOf(home, seat, client), { force: true });
}

function folderOf(home: string): string {
  return join(home, "seats");
}

function fileOf(home: string, seat: string, { pid }: ProcessIdentity): string {
  return join(folderOf(home), `${pid}-${seat}`);
}
