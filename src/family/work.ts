/** The commit and folder that an agent works in, and the kind of commit that it makes. */
import type { Fingerprint } from "../git/checkout/fingerprint.ts";
import type { EventOf } from "../log/run-event.ts";
import type { RunView } from "../log/run-view.ts";

type Kind = EventOf<"commit.made">["kind"];

export interface Work {
  /** The commit that the workspace is created from. */
  readonly from: string;
  /** The parent of the agent's commit. */
  readonly parent: string;
  /** The kind of the commit; null to derive it from what the role writes. */
  readonly kind: Kind | null;
  /** The part of the run that the work belongs to. */
  readonly of: WorkOf;
  /** Whether the commit is judged unchanged; false if a gate rebases it first. */
  readonly isInPlace: (view: RunView) => boolean;
  /** An existing folder, which is kept; null for a new worktree. */
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
  /** The folder's current tree, and a commit of it. */
  readonly snapshot: () => Promise<{ readonly tree: string; readonly commit: string }>;
}

export interface Workspace {
  readonly name: string;
  readonly path: string;
  /** The commit that it was created from. */
  readonly commit: string;
  /** Documents in it: name -> address. */
  readonly documents: Readonly<Record<string, string>>;
  /** Fingerprint of all other files before the agent starts. */
  readonly initialFingerprint: Fingerprint | null;
  readonly work: Work;
}

export function workFrom(from: string, work: Partial<Work> = {}): Work {
  return { from, parent: from, kind: null, of: {}, isInPlace: () => true, folder: null, ...work };
}
