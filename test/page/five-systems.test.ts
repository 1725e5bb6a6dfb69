/**
 * A person takes a whole run of each of the five systems to its end in a real browser, wide and of the size of a phone, with the
 * keyboard alone; at each stop the page is looked at for faults of accessibility, and at the end it shows what the journal says.
 * @module-tag ci
 */
import { execFileSync } from "node:child_process";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { eventsOf } from "../orchestrate/world.ts";
import { callHere } from "../cli/here.ts";
import { verifiesWhen } from "../verifies.ts";
import { seriousFaults } from "./accessibility.ts";
import { chromiumPath, noChromium, openAddress } from "./chromium.ts";
import { drawnSteps, journaledSteps, type Times } from "./drawn-steps.ts";
import { startFive, systems, type FiveRuns, type System } from "./five-runs.ts";
import { keyboardOf, type Keyboard } from "./keyboard.ts";
import { servePageOf } from "./page-server.ts";
import { journalOf, journaledRun, shownRun, type ToldRun } from "./shown-run.ts";
import { kept, stories } from "./stories.ts";

const proves = (title: string, body: () => unknown): void =>
  verifiesWhen(chromiumPath !== null, noChromium, "SEE-05", title, body);

const sizes = { wide: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } } as const;
type Size = keyof typeof sizes;
/** Where each run is driven; it is looked at in the other way too. */
const ways: Readonly<Record<System, readonly [Size, "light" | "dark"]>> = {
  orchestrate: ["wide", "light"],
  riper: ["phone", "dark"],
  dptr: ["wide", "dark"],
  graph: ["phone", "light"],
  envoy: ["phone", "dark"],
};

interface Seen {
  /** Faults by stop, empty where there is none. */
  readonly faults: Record<string, readonly string[]>;
  shown: ToldRun | null;
  protocol: Times;
  prompt: { readonly of: string; readonly text: string };
  diff: readonly string[];
  focusAfterWindow: string;
  focusAfterDecision: string;
  unseenFocus: readonly string[];
  noise: readonly string[];
}

describe.skipIf(chromiumPath === null)("whole runs in the page", () => {
  let five: FiveRuns;
  const seen = {} as Record<System, Seen>;
  /** The newest run of each repository, with its state. */
  let listed: readonly (readonly string[])[] = [];
  let plan: { readonly steps: readonly string[]; readonly end: string } | null = null;

  beforeAll(async () => {
    five = await startFive();
    const server = await servePageOf({ home: five.home, env: five.env });
    const drive = async (system: System): Promise<void> => {
      const { page, noise } = await openAddress(server.page.newAddress());
      const hands = keyboardOf(page);
      const faults: Record<string, readonly string[]> = {};
      const look = lookIn(page, ways[system], faults);
      const one: Seen = {
        faults,
        shown: null,
        protocol: {},
        prompt: { of: "", text: "" },
        diff: [],
        focusAfterWindow: "",
        focusAfterDecision: "",
        unseenFocus: [],
        noise,
      };
      seen[system] = one;
      const [size, colorScheme] = ways[system];
      await page.setViewportSize(sizes[size]);
      await page.emulateMedia({ colorScheme });
      await hands.tabTo(page.locator("a.skip"));
      await hands.tabTo(page.locator(`a.run[data-run="${five.runs[system].run}"]`));
      await hands.press("Enter");
      await page.locator("header.run").waitFor();
      await stories[system]({ page, hands, five, look });
      one.focusAfterDecision = await hands.focused();
      await page.locator(".verdict[data-status=complete]").waitFor({ timeout: 240_000 });
      await look("the end");
      // Long lists are drawn in pieces, and folds are made when they are opened.
      await hands.openAll(page.locator("main .rest > button, #tests details:not([open]) > summary"));
      one.shown = await shownRun(page);
      one.protocol = await drawnSteps(page);
      one.prompt = await openPrompt(page, hands);
      one.focusAfterWindow = await hands.focused();
      one.diff = await openDiff(page, hands);
      one.unseenFocus = [...hands.unseen];
      if (system === "envoy")
        plan = {
          steps: await page.locator("#plan .steps li").allTextContents(),
          end: (await page.locator(".verdict").textContent()) ?? "",
        };
    };
    await Promise.all(systems.map(drive));
    const { page } = await openAddress(server.page.newAddress());
    await page.locator("a.run").first().waitFor();
    listed = await page
      .locator("section[data-repository]")
      .evaluateAll((repositories) =>
        repositories.map((one) => [
          one.querySelector("a.run")?.getAttribute("data-run") ?? "",
          one.querySelector("[data-mark]")?.getAttribute("data-mark") ?? "",
        ]),
      );
  }, 600_000);

  describe.each(systems)("%s", (system) => {
    proves("the page shows what the journal and the terminal say", async () => {
      const journal = await journalOf(five.runs[system]);
      const { shown, protocol, prompt, diff } = seen[system];
      expect(shown).toEqual(journaledRun(journal));
      expect(protocol).toMatchObject(journaledSteps(journal.events));
      const started = eventsOf(journal.events, "dispatch.started");
      const told = started.findLast(({ key }) => key === prompt.of)?.prompt ?? "";
      expect(prompt.text).toBe((await journal.text(told)).trim());
      await journal.close();
      const { run, folder, env } = five.runs[system];
      const commit = eventsOf(journal.events, "commit.made").findLast(
        ({ paths }) => paths.length > 0,
      )?.commit;
      // A prompt of Envoy is merged into the feature branch, which the run itself never touches.
      expect(diff).toEqual(addedLines(folder, commit ?? "feature/x"));
      const called = await callHere(["status", run, "--json"], { cwd: folder, env });
      const { runs } = JSON.parse(called.stdout) as { runs: { status: string }[] };
      expect(shown?.status).toBe(runs[0]?.status);
    });

    proves(
      "there is no serious fault of accessibility at any stop, and nothing is wider than the screen",
      () => {
        const { faults } = seen[system];
        expect(Object.keys(faults).length).toBeGreaterThanOrEqual(3);
        expect(Object.values(faults).flat()).toEqual([]);
      },
    );

    proves("the focus is always seen, comes back from a window, and is not lost with a decision", () => {
      const { unseenFocus, focusAfterWindow, focusAfterDecision } = seen[system];
      expect(unseenFocus).toEqual([]);
      expect(focusAfterWindow).toBe("open");
      expect(focusAfterDecision).not.toBe("");
    });

    proves("nobody else is asked", () => {
      expect(seen[system].noise).toEqual([]);
    });
  });

  proves("the list has the runs of all repositories", () => {
    const all = systems.map((system) => [five.runs[system].run, "complete"]);
    expect(listed.toSorted()).toEqual(all.toSorted());
  });

  test("the plan of Envoy is shown with the steps of its prompt", () => {
    expect(plan).toEqual({
      steps: ["✓start", "✓implement", "✓review", "✓test", "✓merge"],
      end: expect.stringMatching(
        /The plan shows its result: prompt 1 is merged, verified by sha256:[0-9a-f]{12}\./u,
      ),
    });
  });

  test("what a person types is kept while the run changes", () => {
    expect(kept).toEqual(["a slug of words"]);
  });
});

function addedLines(folder: string, commit: string): readonly string[] {
  const shown = execFileSync("git", ["show", "--format=", "-m", "--first-parent", "--patch", commit], {
    cwd: folder,
    encoding: "utf8",
  });
  return shown.split("\n").flatMap((line) => (/^\+(?!\+\+)/u.test(line) ? [line.slice(1)] : []));
}

/** Looks at the page in its own way and in the other one. */
function lookIn(page: Page, [size, scheme]: readonly [Size, "light" | "dark"], faults: Seen["faults"]) {
  const at = async (stop: string, width: Size, colorScheme: "light" | "dark"): Promise<void> => {
    await page.setViewportSize(sizes[width]);
    await page.emulateMedia({ colorScheme });
    const found = [...(await seriousFaults(page))];
    if (await page.evaluate<boolean>("document.documentElement.scrollWidth > innerWidth"))
      found.push("wider than the screen");
    faults[`${stop}, ${width}, ${colorScheme}`] = found.map(
      (fault) => `${stop}, ${width}, ${colorScheme}: ${fault}`,
    );
  };
  return async (stop: string): Promise<void> => {
    await at(stop, size === "wide" ? "phone" : "wide", scheme === "light" ? "dark" : "light");
    await at(stop, size, scheme);
  };
}

/** Opens the newest prompt and reads it. */
async function openPrompt(page: Page, hands: Keyboard): Promise<Seen["prompt"]> {
  await hands.press("t");
  while ((await hands.focused()) !== "Prompts and output") await hands.press("j");
  const button = page.locator("#texts button[aria-label^='open the prompt of ']").last();
  await hands.tabTo(button);
  const of = (await button.getAttribute("aria-label"))?.replace("open the prompt of ", "") ?? "";
  await hands.press("Enter");
  return { of, text: (await readAndClose(page, hands, "plain")).join("\n").trim() };
}

/** Opens the newest commit that changes something, and reads the lines that it adds. */
async function openDiff(page: Page, hands: Keyboard): Promise<readonly string[]> {
  await hands.press("p");
  await hands.tabTo(
    page.locator("#changes tr, #plan tr", { hasNotText: "none" }).locator("td button").last(),
  );
  await hands.press("Enter");
  return readAndClose(page, hands, "added");
}

async function readAndClose(
  page: Page,
  hands: Keyboard,
  kind: "plain" | "added",
): Promise<readonly string[]> {
  const lines = page.locator(`dialog .lines .${kind} code`);
  await lines.first().waitFor();
  const texts = await lines.allTextContents();
  await hands.press("Escape");
  await page.locator("dialog").waitFor({ state: "detached" });
  return texts.map((text) => (text === " " ? "" : text));
}
