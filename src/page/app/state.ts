/** What the page knows and shows now. */
import { computed, signal } from "@preact/signals";
import type { RunPlace } from "./api.ts";
import type { LineComment, RepositoryRow, RunNow, WireError } from "./wire.ts";

export type Connection = "connecting" | "live" | "lost" | "ended" | "other-build" | "replaced";

/** By id. */
export const repositories = signal<ReadonlyMap<string, RepositoryRow>>(new Map());
/** The run that the address names; null: the list is shown. */
export const place = signal<RunPlace | null>(null);
/** The repository of which the memory is shown; null: another view is. */
export const memoryOf = signal<string | null>(null);
export const shownRun = signal<RunNow | null>(null);
export const connection = signal<Connection>("connecting");
/** The newest sentence for screen readers. */
export const news = signal("");
/** Why a decision was refused whose form is gone already, for example because somebody else was first. */
export const missedRefusal = signal<WireError | null>(null);
/** The text or diff that is open over the page. */
export const opened = signal<Opened | null>(null);
export const isHelpOpen = signal(false);
/** Comments that the next rejection takes with it. */
export const comments = signal<readonly WrittenComment[]>([]);

export interface WrittenComment extends LineComment {
  /** Hash of what could be rejected when it was written; another one now: look at the line again. */
  readonly shown: string | null;
}

export type Opened =
  | { readonly type: "text"; readonly title: string; readonly address: string; readonly file: string | null }
  | { readonly type: "diff"; readonly title: string; readonly commit: string; readonly from: string | null };

const rejectable = computed(() =>
  shownRun.value?.model.asks.find(({ answers }) => answers.includes("reject")),
);
/** Whether there is something that a rejection with comments answers. */
export const canComment = computed(() => rejectable.value !== undefined);

export function addComment(comment: LineComment): void {
  comments.value = [...comments.value, { ...comment, shown: rejectable.value?.hash ?? null }];
  news.value = `comment on line ${comment.line} of ${comment.file} added`;
}

/** Whether something else waits for an answer now than when it was written. */
export function isEarlier({ shown }: WrittenComment): boolean {
  return shown !== (rejectable.value?.hash ?? null);
}

export function removeComment(comment: WrittenComment): void {
  comments.value = comments.value.filter((one) => one !== comment);
}
