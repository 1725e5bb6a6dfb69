/** How often a run took each step of its protocol: as the page draws it, and as the journal has it. */
import type { Page } from "playwright-core";
import type { Recorded } from "../../src/log/run-event.ts";
import { eventsOf } from "../orchestrate/world.ts";

/** Machine and step -> times. */
export type Times = Readonly<Record<string, number>>;

export async function drawnSteps(page: Page): Promise<Times> {
  const steps = await page
    .locator("[data-machine] [data-step]")
    .evaluateAll((all) =>
      all.map((step) => [
        `${step.closest("[data-machine]")?.getAttribute("data-machine") ?? ""} ${step.getAttribute("data-step") ?? ""}`,
        Number(step.getAttribute("data-times")),
      ]),
    );
  return Object.fromEntries(steps.filter(([, times]) => times !== 0)) as Times;
}

/** Counted in the journal alone, which names no groups of steps: the page draws these, too. */
export function journaledSteps(events: readonly Recorded[]): Times {
  const machines = new Map([["main", "main"]]);
  const counts: Record<string, number> = {};
  for (const { command } of eventsOf(events, "command.issued")) {
    const issued = command as { type: string; frame: string; path: string; child: string; machine: string };
    if (issued.type === "cancel" || issued.type === "finish") continue;
    if (issued.type === "spawn") machines.set(issued.child, issued.machine);
    const path = issued.type === "spawn" ? issued.path.split("/").slice(0, -1).join("/") : issued.path;
    const own = issued.frame === "main" ? path : path.slice(issued.frame.length + 1);
    const place = `${machines.get(issued.frame) ?? ""} ${own}`;
    counts[place] = (counts[place] ?? 0) + 1;
  }
  return counts;
}
