/** Keys for people who use no mouse. Letters work only outside of fields; nothing is decided by a key. */
import { goTo } from "./routes.ts";
import { isHelpOpen, memoryOf, opened, place } from "./state.ts";

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
    if (ctrlKey || metaKey || altKey || isField(target) || opened.value !== null || isHelpOpen.value) return;
    if (key === "?") isHelpOpen.value = true;
    else if (key === "l" && (place.value !== null || memoryOf.value !== null)) goTo(null);
    else if (key === "j" || key === "k") step(key === "j" ? 1 : -1);
    else if (targets[key] !== undefined) focusOn(document.getElementById(targets[key]) ?? waitingRun(key));
    else return;
    event.preventDefault();
  });
}

function isField(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input, textarea, select") !== null;
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
  focusOn(stops[at === -1 && by < 0 ? stops.length - 1 : at + by] ?? null);
}

function focusOn(element: HTMLElement | null): void {
  if (element === null) return;
  if (element.tabIndex < 0) element.tabIndex = -1;
  element.focus();
  element.scrollIntoView({ block: "start" });
}
