/** From which commit an agent works, in which folder, and what its commit is then. */
import type { Fingerprint } from "../git/checkout/fingerprint.ts";
import type { EventOf } from "../log/run-event.ts";
import type { RunView } from "../log/run-view.ts";

type Kind = EventOf<"commit.made">["kind"];

export interface Work {
  /** The commit that its workspace is laid from. */
  readonly from: string;
  /** The parent of what it leaves. */
  readonly parent: string;
  /** What its commit is; null: what its role writes says so. */
  readonly kind: Kind | null;
  /** The part of the run that it belongs to. */
  readonly of: WorkOf;
  /** Whether its commit is judged as it is; false: a gate lays it on something newer first. */
  readonly isInPlace: (view: RunView) => boolean;
  /** A folder that belongs to somebody else and stays; null: a worktree is laid for it alone. */
  readonly folder: WorkFolder | null;
}

export interface WorkOf {
  readonly node?: string;
  /** From 1. */
  readonly cycle?: number;
  /** A prompt or a segment. */
  readonly item?: string;
}

export interface WorkFolder {
  readonly path: string;
  /** All that is in it now, and a commit of that. */
  readonly snapshot: () => Promise<{ readonly tree: string; readonly commit: string }>;
}

export interface Workspace {
  readonly name: string;
  readonly path: string;
  /** The commit it was laid from. */
  readonly commit: string;
  /** Documents laid: name -> address. */
  readonly laid: Readonly<Record<string, string>>;
  /** How everything else lay there before the agent came. */
  readonly initialFingerprint: Fingerprint | null;
  readonly work: Work;
}

export function workFrom(from: string, work: Partial<Work> = {}): Work {
  return { from, parent: from, kind: null, of: {}, isInPlace: () => true, folder: null, ...work };
}
