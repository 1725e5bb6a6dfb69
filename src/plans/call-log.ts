/**
 * The calls of Envoy in this repository, one line each in a file of its state home: who called what, and what came of it. Written
 * without git and without the store, since it belongs to each start; what cannot be written keeps no agent from its answer.
 */
import { appendFileSync, mkdirSync, readFileSync, renameSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { secretValues } from "../config/env.ts";
import { findCheckout } from "../config/find-checkout.ts";
import { stateHome } from "../config/home.ts";
import { repositoryId } from "../config/repository-id.ts";
import { mask } from "../lib/mask.ts";

export interface EnvoyCall {
  readonly at: string;
  /** `plan read-prompt`. */
  readonly command: string;
  readonly arguments: readonly string[];
  readonly agent: string | null;
  /** The feature branch that was named, else the branch where it was called. */
  readonly branch: string | null;
  /** Exit code. */
  readonly code: number;
  readonly duration_ms: number;
  /** What its answer notes: that a merge is UNVERIFIED, for instance. */
  readonly note?: string;
}

const fileName = "envoy-calls.jsonl";
/** One older file of this size is kept beside it. */
const maxBytes = 4 << 20;
const maxArgumentLength = 200;

/** @param where it was called, which may be gone */
export function appendCall(where: () => string, call: EnvoyCall): void {
  try {
    const cwd = where();
    const found = findCheckout(cwd);
    if (found === null) return;
    const root = basename(found.gitDir) === ".git" ? dirname(found.gitDir) : found.gitDir;
    const home = stateHome({ repository: repositoryId(root, found.gitDir), cwd }).root;
    const file = join(home, fileName);
    const secrets = secretValues();
    const line = JSON.stringify({
      ...call,
      arguments: call.arguments.map((word) => mask(word, secrets).slice(0, maxArgumentLength)),
      branch: call.branch ?? branchAt(found.ownGitDir),
    });
    mkdirSync(home, { recursive: true, mode: 0o700 });
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > maxBytes) renameSync(file, `${file}.1`);
    appendFileSync(file, `${line}\n`, { mode: 0o600 });
  } catch {
    // A home that cannot be written: whoever needs it says so.
  }
}

/** Oldest first. */
export function readCalls(home: string): readonly EnvoyCall[] {
  return [`${fileName}.1`, fileName].flatMap((name) => {
    try {
      return readFileSync(join(home, name), "utf8").split("\n").flatMap(parseCall);
    } catch {
      return []; // None yet.
    }
  });
}

/** What is no call was cut off by a kill. */
function parseCall(line: string): readonly EnvoyCall[] {
  try {
    const call: unknown = JSON.parse(line);
    return typeof call === "object" && call !== null && "command" in call && "at" in call
      ? [call as EnvoyCall]
      : [];
  } catch {
    return [];
  }
}

function branchAt(gitDir: string): string | null {
  return /^ref: refs\/heads\/(.+)$/mu.exec(readFileSync(join(gitDir, "HEAD"), "utf8"))?.[1] ?? null;
}
