/**
 * The log of Envoy calls in this repository: one JSON line per call in the state home, with caller, command and result. It uses
 * neither git nor the store because every start writes it. A write error is ignored, so that the agent still gets its answer.
 */
import { appendFileSync, mkdirSync, readFileSync, renameSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { secretValues } from "../config/env.ts";
import { findCheckout } from "../config/find-checkout.ts";
import { stateHome } from "../config/home.ts";
import { repositoryId } from "../config/repository-id.ts";
import { isObject, parseJson } from "../lib/json.ts";
import { mask } from "../lib/mask.ts";

export interface LoggedCall {
  readonly at: string;
  /** Such as `plan read-prompt`. */
  readonly command: string;
  readonly arguments: readonly string[];
  readonly agent: string | null;
  /** The value of `--feature-branch`, else the current branch. */
  readonly branch: string | null;
  /** Exit code. */
  readonly code: number;
  readonly duration_ms: number;
  /** The `note` of the answer, such as that a merge is UNVERIFIED. */
  readonly note?: string;
}

const fileName = "envoy-calls.jsonl";
/** A log of this size is rotated; one older log is kept. */
const maxBytes = 4 << 20;
const maxArgumentLength = 200;

/** @param where gives the folder of the call; it throws if the folder was deleted */
export function appendCall(where: () => string, call: LoggedCall): void {
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
    // The state home is not writable; commands that need it report that.
  }
}

/** All logged calls, oldest first. */
export function readCalls(home: string): readonly LoggedCall[] {
  return [`${fileName}.1`, fileName].flatMap((name) => {
    try {
      return readFileSync(join(home, name), "utf8").split("\n").flatMap(parseCall);
    } catch {
      return []; // no such log yet
    }
  });
}

/** Empty for a line that a killed process wrote in part. */
function parseCall(line: string): readonly LoggedCall[] {
  const call = parseJson(line);
  return isObject(call) && "command" in call && "at" in call ? [call as unknown as LoggedCall] : [];
}

function branchAt(gitDir: string): string | null {
  return /^ref: refs\/heads\/(.+)$/mu.exec(readFileSync(join(gitDir, "HEAD"), "utf8"))?.[1] ?? null;
}
