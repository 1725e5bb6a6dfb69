/** Addresses of the page: the list, `?repository=ID&run=ID`, or `?memory=ID`: what a repository remembers. Links are followed without loading the page again. */
import { effect } from "@preact/signals";
import type { RunPlace } from "./api.ts";
import { comments, memoryOf, missedRefusal, opened, place, repositories, shownRun } from "./state.ts";

export function addressOf(to: RunPlace | null): string {
  if (to === null) return location.pathname;
  return `${location.pathname}?${new URLSearchParams({ repository: to.repository, run: to.run }).toString()}`;
}

/** Of what a repository remembers. */
export function memoryAddress(repository: string): string {
  return `${location.pathname}?${new URLSearchParams({ memory: repository }).toString()}`;
}

export function goTo(to: RunPlace | null): void {
  follow(addressOf(to));
}

function follow(address: string): void {
  history.pushState(null, "", address);
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
    follow(link.href);
  });
  effect(() => {
    const task = shownRun.value?.model.asked.task.split("\n", 1)[0] ?? "";
    const name = memoryOf.value === null ? "" : (repositories.value.get(memoryOf.value)?.name ?? "");
    const title = memoryOf.value === null ? (place.value === null ? "" : task) : `Memory of ${name}`;
    document.title = title === "" ? "Mettle" : `${title} · Mettle`;
  });
  readAddress();
}

function readAddress(): void {
  memoryOf.value = new URLSearchParams(location.search).get("memory");
  const next = placeIn(location.search);
  const before = place.value;
  if (next?.run === before?.run && next?.repository === before?.repository) return;
  shownRun.value = null;
  opened.value = null;
  comments.value = [];
  missedRefusal.value = null;
  place.value = next;
}

function placeIn(search: string): RunPlace | null {
  const words = new URLSearchParams(search);
  const [repository, run] = [words.get("repository"), words.get("run")];
  return repository === null || run === null ? null : { repository, run };
}
