/** How a person takes a run of each system to its end in the page, with the keyboard alone. */
import type { Page } from "playwright-core";
import type { FiveRuns, System } from "./five-runs.ts";
import type { Keyboard } from "./keyboard.ts";

export interface Seat {
  readonly page: Page;
  readonly hands: Keyboard;
  readonly five: FiveRuns;
  /** Looks for faults of accessibility at this stop. */
  look(stop: string): Promise<void>;
}

type Story = (seat: Seat) => Promise<void>;

/** What a person typed was still there after the run had changed. */
export const kept: string[] = [];

export const stories: Readonly<Record<System, Story>> = {
  /** Five questions, the plan and the code. */
  async orchestrate(seat) {
    const { page, hands, five } = seat;
    await goOn(seat);
    await asked(seat, "Clarifying questions");
    const { run, cli } = five.runs.orchestrate;
    await hands.tabTo(page.locator("textarea[name=Q1]"));
    await hands.type("a slug");
    // Somebody else answers another question meanwhile.
    await cli?.(["answer", run, "Q5=In a terminal"]);
    await page.locator("textarea[name=Q5]").waitFor({ state: "detached" });
    await hands.press("End");
    await page.keyboard.type(" of words");
    kept.push(await page.locator("textarea[name=Q1]").inputValue());
    for (const id of ["Q2", "Q3", "Q4"]) {
      await hands.tabTo(page.locator(`textarea[name=${id}]`));
      await hands.type(`${id} as you like`);
    }
    await decide(seat, "Send 4 answers");
    await asked(seat, "Approve the plan");
    await decide(seat, "Approve what is shown");
    await asked(seat, "Code approval");
    await decide(seat, "Approve what is shown");
  },
  /** The review at the end wants a change. */
  async riper(seat) {
    await goOn(seat);
    await asked(seat, "The review wants changes");
    await decide(seat, "Approve what is shown");
  },
  /** The critic wants the design revised. */
  async dptr(seat) {
    await goOn(seat);
    await asked(seat, "The critic wants the design revised");
    await decide(seat, "Revise");
  },
  /** The root asks what the spec means. */
  async graph(seat) {
    const { page, hands } = seat;
    await goOn(seat);
    await asked(seat, "The spec is unclear");
    await hands.tabTo(page.locator("#asks textarea"));
    await hands.type("a name is a word");
    await decide(seat, "Answer");
  },
  /** The plan's gate asks whether the work was tested. */
  async envoy(seat) {
    const { page, hands } = seat;
    await asked(seat, "A gate of the plan waits");
    await hands.tabTo(page.locator("select[name=test_passed]"));
    await hands.press("ArrowDown");
    await hands.tabTo(page.locator("textarea[name=thoughts]"));
    await hands.type("Well done");
    await decide(seat, "Answer");
  },
};

/** Starts the run that no process drives. */
async function goOn({ page, hands }: Seat): Promise<void> {
  await hands.tabTo(page.locator(".controls button", { hasText: "Go on" }));
  await hands.press("Enter");
}

/** Waits until the run asks this, and goes there by the key for it. */
async function asked({ page, hands, look }: Seat, text: string): Promise<void> {
  await page.locator("#asks form").first().waitFor({ timeout: 240_000 });
  await page.locator("#asks h3", { hasText: text }).first().waitFor();
  await look(text);
  await hands.press("w");
}

/** Presses a button of the form, which then goes with its question. */
async function decide({ page, hands }: Seat, label: string): Promise<void> {
  const button = page.locator("#asks button", { hasText: new RegExp(`^${label}$`, "u") });
  const ask = (await page.locator("#asks > .ask").first().getAttribute("data-ask")) ?? "";
  await hands.tabTo(button);
  await hands.press("Enter");
  await page.locator(`[data-ask="${ask}"]`).waitFor({ state: "detached" });
}
