/** Proves a merge outside any run, by the settings of the main checkout; `seal` adds the records to the caller's chain. */
import { loadSettings } from "../config/settings.ts";
import { mergeBase } from "../git/repository.ts";
import { openHost, type OpenHost } from "../run/host.ts";
import { cacheIn, hostPorts } from "../run/proof-ports.ts";
import { proveMerge } from "../proof/merge-proof.ts";
import { withFoundPaths } from "../proof/project/found-paths.ts";
import { projectAt } from "../proof/project/project.ts";
import { readyToSign } from "../run/host-keys.ts";
import { sealDrafts } from "../run/records.ts";
import type { MergeToVerify, VerificationResult } from "../plans/merge/verification.ts";

/** @returns null if the project has no test runner */
export async function verifyMerge(
  cwd: string,
  { from, head, merged }: MergeToVerify,
): Promise<VerificationResult | null> {
  const host = await openHost(cwd);
  try {
    return await verifyOpened(host, { from, head, merged });
  } finally {
    await host.journal.close();
  }
}

async function verifyOpened(
  opened: OpenHost,
  { from, head, merged }: MergeToVerify,
): Promise<VerificationResult | null> {
  const { repository, payloads, key } = opened;
  const settings = await withFoundPaths(await loadSettings(repository.root), [
    await projectAt(repository, from),
  ]);
  await readyToSign(opened);
  const base = await mergeBase(repository, from, head);
  const proof = await proveMerge({
    ports: hostPorts(opened, { settings }),
    cache: cacheIn(opened.journal),
    settings,
    base: base ?? from,
    ours: from,
    theirs: head,
    merged,
  });
  if (proof === null) return null;
  const { drafts } = proof;
  return {
    verdict: proof.verdict.verdict,
    reasons: proof.verdict.checks
      .filter((check) => check.verdict !== "pass")
      .map(({ name, reason }) => `${name}: ${reason}`),
    async seal({ run, records }) {
      const view = { run, records, commands: {} };
      const sealed = await sealDrafts({ drafts, view, key: merged, ports: { payloads, key } });
      return sealed.map(({ event: { id, ref, envelope, purpose, verdict } }) => ({
        id,
        ref,
        envelope,
        purpose,
        verdict,
      }));
    },
  };
}
