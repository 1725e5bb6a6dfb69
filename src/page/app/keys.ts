/** Keys for people who use no mouse. Letters work only outside of fields; nothing is decided by a key. */
import { focusOn } from "./focus.ts";
import { goTo } from "./routes.ts";
import { isHelpOpen, memoryOf, place } from "./state.ts";

export const keys = [
  ["?", "show these keys"],
  ["l", "all runs"],
  ["j, k", "next and previous run, or part of a run"],
  ["Enter", "open what has the focus"],
  ["w", "what waits for you"],
  ["t, p, g, e", "timeline, plan and changes, gates, evidence"],
  ["Escape", "close what is open"],
] as const;

const targets: Readonly<Record<string, string>> = {
  w: "asks-title",
  t: "timeline-title",
  p: "changes-title",
  g: "gates-title",
  e: "evidence-title",
};

export function followKeys(): void {
  document.addEventListener("keydown", (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey || isField(target) || isWindowOpen()) return;
    if (key === "?") isHelpOpen.value = true;
    else if (key === "l" && (place.value !== null || memoryOf.value !== null)) goTo(null);
    else if (key === "j" || key === "k") step(key === "j" ? 1 : -1);
    else if (targets[key] !== undefined) goOn(targetOf(key));
    else return;
    event.preventDefault();
  });
}

function isField(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input, textarea, select") !== null;
}

/** As the browser sees it: a window that was just closed takes no more keys. */
function isWindowOpen(): boolean {
  return document.querySelector("dialog[open]") !== null;
}

function targetOf(key: string): HTMLElement | null {
  const other = key === "p" ? document.getElementById("plan-title") : waitingRun(key);
  return document.getElementById(targets[key] ?? "") ?? other;
}

/** In the list `w` leads to the first run that waits. */
function waitingRun(key: string): HTMLElement | null {
  return key === "w" ? document.querySelector<HTMLElement>("#waiting a.run") : null;
}

function step(by: number): void {
  const stops = [
    ...document.querySelectorAll<HTMLElement>(
      place.value === null && memoryOf.value === null ? "a.run" : "main h2",
    ),
  ];
  const at = stops.findIndex((stop) => stop === document.activeElement);
  goOn(stops[at === -1 && by < 0 ? stops.length - 1 : at + by] ?? null);
}

function goOn(element: HTMLElement | null): void {
  if (element === null) return;
  focusOn(element);
  element.scrollIntoView({ block: "start" });
}
