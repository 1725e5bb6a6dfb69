/** What the page knows and shows now. */
import { computed, signal } from "@preact/signals";
import type { RunPlace } from "./api.ts";
import type { LineComment, RepositoryRow, RunNow } from "./wire.ts";

export type Connection = "connecting" | "live" | "lost" | "ended" | "other-build";

/** By id. */
export const repositories = signal<ReadonlyMap<string, RepositoryRow>>(new Map());
/** The run that the address names; null: the list is shown. */
export const place = signal<RunPlace | null>(null);
export const shownRun = signal<RunNow | null>(null);
export const connection = signal<Connection>("connecting");
/** The newest sentence for screen readers. */
export const news = signal("");
/** The text or diff that is open over the page. */
export const opened = signal<Opened | null>(null);
export const isHelpOpen = signal(false);
/** Comments that the next rejection takes with it. */
export const comments = signal<readonly LineComment[]>([]);

export type Opened =
  | { readonly type: "text"; readonly title: string; readonly address: string; readonly file: string | null }
  | { readonly type: "diff"; readonly title: string; readonly commit: string; readonly from: string | null };

/** Whether there is something that a rejection with comments answers. */
export const canComment = computed(
  () => shownRun.value?.model.asks.some(({ answers }) => answers.includes("reject")) ?? false,
);

export function addComment(comment: LineComment): void {
  comments.value = [...comments.value, comment];
  news.value = `comment on line ${comment.line} of ${comment.file} added`;
}

export function removeComment(comment: LineComment): void {
  comments.value = comments.value.filter((one) => one !== comment);
}
