/** Addresses of the page: the list, or `?repository=ID&run=ID`. Links are followed without loading the page again. */
import { effect } from "@preact/signals";
import type { RunPlace } from "./api.ts";
import { comments, opened, place, shownRun } from "./state.ts";

export function addressOf(to: RunPlace | null): string {
  if (to === null) return location.pathname;
  return `${location.pathname}?${new URLSearchParams({ repository: to.repository, run: to.run }).toString()}`;
}

export function goTo(to: RunPlace | null): void {
  history.pushState(null, "", addressOf(to));
  readAddress();
  window.scrollTo(0, 0);
  document.querySelector<HTMLElement>("h1")?.focus();
}

/** Follows the address, now and whenever it changes. */
export function followAddress(): void {
  window.addEventListener("popstate", readAddress);
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    const isPlain =
      event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (link?.dataset["inside"] === undefined || !isPlain) return;
    event.preventDefault();
    goTo(placeIn(new URL(link.href).search));
  });
  effect(() => {
    const task = shownRun.value?.model.asked.task.split("\n", 1)[0] ?? "";
    document.title = place.value === null || task === "" ? "Mettle" : `${task} · Mettle`;
  });
  readAddress();
}

function readAddress(): void {
  const next = placeIn(location.search);
  const before = place.value;
  if (next?.run === before?.run && next?.repository === before?.repository) return;
  shownRun.value = null;
  opened.value = null;
  comments.value = [];
  place.value = next;
}

function placeIn(search: string): RunPlace | null {
  const words = new URLSearchParams(search);
  const [repository, run] = [words.get("repository"), words.get("run")];
  return repository === null || run === null ? null : { repository, run };
}
