/** Proves a merge outside any run, by the settings of the main checkout; `seal` adds the records to the caller's chain. */
import { loadSettings } from "../config/settings.ts";
import { mergeBase } from "../git/repository.ts";
import { openHost, type OpenHost } from "../run/host.ts";
import { cacheIn, hostPorts } from "../run/proof-ports.ts";
import { proveMerge } from "../proof/merge-proof.ts";
import { sealDrafts } from "../run/records.ts";

export interface SealedRecord {
  readonly id: string;
  readonly ref: string;
  readonly envelope: string;
  readonly purpose: string;
  readonly verdict: string;
}

export interface MergeVerification {
  readonly verdict: "pass" | "fail" | "inconclusive";
  readonly reasons: readonly string[];
  readonly seal: (chain: {
    readonly run: string;
    readonly records: readonly SealedRecord[];
  }) => Promise<readonly SealedRecord[]>;
}

/** @returns null if the project has no test runner */
export async function verifyMerge(
  cwd: string,
  { from, head, merged }: { readonly from: string; readonly head: string; readonly merged: string },
): Promise<MergeVerification | null> {
  const host = await openHost(cwd);
  try {
    return await verifyOpened(host, { from, head, merged });
  } finally {
    await host.journal.close();
  }
}

async function verifyOpened(
  opened: OpenHost,
  { from, head, merged }: { readonly from: string; readonly head: string; readonly merged: string },
): Promise<MergeVerification | null> {
  const { repository, payloads, key } = opened;
  const settings = await loadSettings(repository.root);
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
  const { verdict, drafts } = proof;
  return {
    verdict: verdict.verdict,
    reasons: verdict.checks
      .filter((check) => check.verdict !== "pass")
      .map(({ name, reason }) => `${name}: ${reason}`),
    async seal({ run, records }) {
      const view = { run, records, commands: {} };
      const sealed = await sealDrafts({ drafts, view, key: merged, ports: { payloads, key } });
      return sealed.map(({ event: { id, ref, envelope, purpose, verdict: said } }) => ({
        id,
        ref,
        envelope,
        purpose,
        verdict: said,
      }));
    },
  };
}
