/** Follows what agents say and do while they work: one stream for all steps that are open in the page. */
import { effect, signal } from "@preact/signals";
import type { SaidModel } from "../../../views/model/said-model.ts";
import { saidAddress } from "../api.ts";
import { place } from "../state.ts";
import type { SaidEvent } from "../wire.ts";

/** Keys of the dispatches that are watched, and what is known of them. */
export const watched = signal<readonly string[]>([]);
export const said = signal<ReadonlyMap<string, readonly SaidModel[]>>(new Map());

/** Characters that are kept of one dispatch; the oldest make room. */
const maxKept = 200_000;

export function followSaid(): void {
  let source: EventSource | null = null;
  const open = (): void => {
    source?.close();
    source = null;
    const keys = watched.value;
    const at = place.value;
    if (document.hidden || at === null || keys.length === 0) return;
    source = new EventSource(saidAddress(at, keys));
    source.addEventListener("said", ({ data }: MessageEvent<string>) => take(JSON.parse(data) as SaidEvent));
  };
  document.addEventListener("visibilitychange", open);
  effect(() => {
    void place.value;
    said.value = new Map();
  });
  effect(open);
}

/** @param isWatched whether the step is open in the page */
export function watchSaid(key: string, isWatched: boolean): void {
  const before = watched.peek();
  if (before.includes(key) === isWatched) return;
  watched.value = isWatched ? [...before, key] : before.filter((one) => one !== key);
}

function take({ key, entries, anew }: SaidEvent): void {
  const before = anew ? [] : (said.peek().get(key) ?? []);
  said.value = new Map([...said.peek(), [key, newest([...before, ...entries])]]);
}

function newest(entries: readonly SaidModel[]): readonly SaidModel[] {
  let length = 0;
  const first = entries.findLastIndex(({ text }) => (length += text.length) > maxKept);
  return entries.slice(first + 1);
}
