/** Journals the claims of a session during a run of Orchestrate, retracts unproven ones, and runs the tests (ORC-49, ORC-54). */
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../config/package-root.ts";
import type { Claim } from "../evidence/claims.ts";
import { treeOf } from "../git/objects/tree.ts";
import type { RunEvent } from "../log/run-event.ts";
import type { RunContext } from "../run/context.ts";
import type { OpenHost } from "../run/host.ts";
import { openRun } from "../families/open-run.ts";
import { triggersFolder } from "../run/hook-files.ts";
import { claimText, isProven, verificationOf } from "../views/gate/claims.ts";
import type { RunView } from "../log/run-view.ts";

/** Used in place of a dispatch's key. */
export const sessionKey = "session";

/** One line for each unproven claim, with the tests that were run for it; empty if the tree is proven. */
export async function retractClaims(
  host: OpenHost,
  { run, claims }: { readonly run: string; readonly claims: readonly Claim[] },
): Promise<readonly string[]> {
  const context = await openRun(host, { run });
  const { commit, tree } = await current(context);
  if (claims.length === 0 || isProven(context.session.view, tree)) return [];
  const facts = claims.map(({ phrase, excerpt }): RunEvent => {
    return { type: "claim.unverified", key: sessionKey, phrase, excerpt, tree };
  });
  await context.session.record(facts);
  if (verificationOf(context.session.view, tree) === null) await verify(context, { commit, tree });
  const { view } = (await openRun(host, { run })).session;
  const pending =
    verificationOf(view, tree) === null
      ? [`Mettle runs the tests of that tree now; \`mettle log ${run}\` shows the result`]
      : [];
  return [...sessionClaimTexts(view, tree).slice(-claims.length), ...pending];
}

/** The retracted claims of the session, for the person. */
export async function retractedClaims(host: OpenHost, run: string): Promise<readonly string[]> {
  const context = await openRun(host, { run });
  const { view } = context.session;
  const { tree } = await current(context);
  return isProven(view, tree) ? [] : [...new Set(sessionClaimTexts(view, tree))];
}

async function current({ repository, session, started }: RunContext) {
  const commit = session.view.head.branch ?? started.base;
  return { commit, tree: await treeOf(repository, commit) };
}

function sessionClaimTexts(view: RunView, tree: string): readonly string[] {
  const claims = view.claims.filter((claim) => claim.key === sessionKey && claim.tree === tree);
  return claims.map((claim) => claimText(view, claim));
}

/** Runs the tests once per tree. They continue if the hook has to end before them. */
async function verify(
  { run, home, repository }: RunContext,
  { commit, tree }: { readonly commit: string; readonly tree: string },
): Promise<void> {
  if (!isFirst(join(home.root, triggersFolder), `${run}-${tree}.verified`)) return;
  const child = spawn(
    process.execPath,
    [packageRoot("dist/bin/hook-verify.js"), repository.checkout, run, commit],
    { cwd: repository.checkout, detached: true, stdio: "ignore" },
  );
  child.unref();
  await new Promise<void>((resolve) => {
    child.once("error", () => resolve()).once("exit", () => resolve());
    setTimeout(resolve, Math.max(0, verifyDeadlineMs - performance.now()));
  });
}

/** In milliseconds from the start of the hook; the rest of its time is for its answer. */
const verifyDeadlineMs = 1_200;

function isFirst(folder: string, name: string): boolean {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(join(folder, name), "", { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}
