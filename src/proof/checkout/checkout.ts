/**
 * A clean checkout: a commit's files in a folder that no agent has seen, removed after the proof. It is not a git worktree,
 * and the repository does not know it. Its `.git` is a separate repository with one commit.
 */
import { mkdir, mkdtemp, readdir, readlink, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { currentProcess, isAlive } from "../../config/owner.ts";
import { AppError } from "../../lib/errors.ts";
import { sha256 } from "../../lib/hash.ts";
import { newId } from "../../lib/ids.ts";
import { ownObjects } from "../../git/checkout/own-objects.ts";
import { commitCheckout, nearestTag, tagCheckout, writeCheckout } from "../../git/checkout/clean-checkout.ts";
import type { Repository } from "../../git/repository.ts";
import type { TreeFile } from "../../git/objects/tree.ts";
import { makeCheckoutsFolder, checkoutsFolder } from "./checkouts-folder.ts";
import { isConfined } from "../execute/start-program.ts";
import { isModule, linkModules, moduleFolder } from "./link-modules.ts";
import type { ProofPorts } from "../ports.ts";

export interface Checkout {
  /** Absolute path of the files, without symbolic links. */
  readonly path: string;
  /** A folder beside them for reports, home folders and temporary files. */
  readonly scratch: string;
  /** The files written into it, and a hash of their content. */
  readonly files: readonly string[];
  readonly content: string;
  /** Absolute paths of the installed dependencies to which its links lead. */
  readonly dependencies: readonly string[];
}

export interface CheckoutRequest {
  readonly ports: ProofPorts;
  readonly files: readonly TreeFile[];
  /**
   * The `node_modules` folders in the base commit: they are written from it; all others are linked as installed. Null where
   * no dependencies are needed.
   */
  readonly committed: ReadonlySet<string> | null;
  /** In a folder of another form, so that code which decides by its path gives another answer (PRV-17). */
  readonly isElsewhere?: boolean;
}

export async function withCheckout<Value>(
  request: CheckoutRequest,
  use: (checkout: Checkout) => Promise<Value>,
): Promise<Value> {
  // All runs use names of the same form: a test cannot recognise the gate by them.
  const name = `proof.${currentProcess().pid}.${newId()}`;
  const folder = join(await checkoutsFolder(request.ports.worktrees), name);
  try {
    return await use(await make(folder, request));
  } finally {
    // A later sweep removes what cannot be removed now; the proof's result is valid.
    await remove(folder).catch(() => undefined);
  }
}

/** Removes checkouts that killed processes left. */
export async function sweepCheckouts(worktrees: string): Promise<void> {
  for (const folder of await staleCheckouts(worktrees)) await remove(folder);
}

/** With the folder to which it is a link. */
async function remove(folder: string): Promise<void> {
  const linked = await readlink(folder).catch(() => null); // a folder, or removed already
  for (const path of linked === null ? [folder] : [linked, folder])
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
}

/** Checkout folders whose process has ended. */
export async function staleCheckouts(worktrees: string): Promise<readonly string[]> {
  const place = await checkoutsFolder(worktrees);
  const names = await readdir(place).catch(() => []); // no checkout was made yet
  return names.flatMap((name) => {
    const pid = /^proof(?:-.*)?\.(\d+)\.[a-z0-9]+$/.exec(name)?.[1];
    return pid !== undefined && !isAlive({ pid: Number(pid), started: "" }) ? [join(place, name)] : [];
  });
}

const here = { tree: "tree", scratch: "scratch" };
const elsewhere = { tree: "project", scratch: "work" };

async function make(folder: string, request: CheckoutRequest): Promise<Checkout> {
  // Its probe takes a tenth of a second once, while the files are written; an error comes again with the first program.
  void isConfined(request.ports).catch(() => undefined);
  try {
    await makeCheckoutsFolder(request.ports.worktrees);
    await sweepCheckouts(request.ports.worktrees);
    if (request.isElsewhere === true) await symlink(await mkdtemp(join(tmpdir(), "src-")), folder);
    const parts = request.isElsewhere === true ? elsewhere : here;
    await mkdir(join(folder, parts.tree), { recursive: true, mode: 0o700 });
    await mkdir(join(folder, parts.scratch));
    const path = await realpath(join(folder, parts.tree));
    const isCommitted = await writeFiles(path, request);
    const { files, committed, ports } = request;
    const { repository } = ports;
    if (ports.sandbox !== undefined) await ownObjects(repository, path, files);
    const dependencies = committed === null ? [] : await linkModules(path, files, { repository, committed });
    const checkout = {
      path,
      scratch: await realpath(join(folder, parts.scratch)),
      files: files.map((file) => file.path),
      content: contentOf(files),
      dependencies,
    };
    if (!isCommitted) filesChanged(checkout);
    return checkout;
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError(
      "worktree_failed",
      `no clean checkout could be made at ${folder}: ${reasonOf(cause)}`,
      {
        hint: "check free space and permissions of the state home, then `mettle resume`",
        retry: "safe",
        cause,
      },
    );
  }
}

async function writeFiles(root: string, { files, ports, committed }: CheckoutRequest): Promise<boolean> {
  const folders = new Set(files.flatMap(({ path }) => foldersOf(path)));
  // A symbolic link in place of a folder would lead other files out of the checkout.
  const wanted = files.filter(({ path }) => isWanted(path, committed) && !folders.has(path));
  return wanted.length === 0 || writeCheckout(ports.repository, root, wanted);
}

const changed = new WeakSet<Checkout>();

/** Call after writing into a checkout before its first program runs: its commit is recreated. */
export function filesChanged(checkout: Checkout): void {
  changed.add(checkout);
}

const committed = new WeakMap<Checkout, Promise<void>>();

/**
 * Commits a checkout's files, stubs included, before the first program runs in it, so that git answers the same in RED and
 * GREEN. Afterwards its `.git` is not read: code under test may have replaced it.
 * @param base the commit whose nearest tag the new commit gets
 */
export function committedOnce(checkout: Checkout, repository: Repository, base: string): Promise<void> {
  const known = committed.get(checkout);
  if (known !== undefined) return known;
  const done = commit(checkout, repository, base);
  committed.set(checkout, done);
  return done;
}

async function commit(checkout: Checkout, repository: Repository, base: string): Promise<void> {
  const { path } = checkout;
  const tag = await nearestTag(repository, base);
  if (changed.has(checkout)) await commitCheckout(repository, path);
  if (tag !== null) await tagCheckout(repository, path, tag);
}

function isWanted(path: string, committed: ReadonlySet<string> | null): boolean {
  const folder = moduleFolder(path);
  return folder === null ? !isModule(path) : committed?.has(folder) === true;
}

function contentOf(files: readonly TreeFile[]): string {
  return sha256(
    files
      .map(({ path, mode, blob }) => `${mode} ${blob} ${path}`)
      .toSorted()
      .join("\0"),
  );
}

function foldersOf(path: string): readonly string[] {
  const parts = path.split("/");
  return parts.slice(1).map((_part, depth) => parts.slice(0, depth + 1).join("/"));
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
