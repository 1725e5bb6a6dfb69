/**
 * A person decides in the page of a real browser: a whole run by the keyboard alone, live, with texts of agents that try to be markup.
 * @module-tag ci
 */
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { recorded } from "../../src/run/list-runs.ts";
import { callIn } from "../cli/here.ts";
import { promptsOf } from "../orchestrate/watched.ts";
import { createWorld, eventsOf, golden, type World } from "../orchestrate/world.ts";
import { seriousFaults } from "./accessibility.ts";
import { chromiumPath, noChromium, openAddress, type OpenPage } from "./chromium.ts";
import { servePageOf, type PageServer } from "./page-server.ts";

if (chromiumPath === null) console.warn(`SKIPPED the live page: ${noChromium}`);

const hostile = `<img src=x onerror="alert(1)"><script>alert(2)</script>\u001b[31m[click](javascript:alert(3))`;

describe.skipIf(chromiumPath === null)("one run in a browser", () => {
  let world: World;
  let server: PageServer;
  let one: OpenPage;
  let run = "";
  /** Faults of accessibility by view. */
  const faults: Record<string, readonly string[]> = {};
  /** Views that are wider than the screen. */
  const tooWide: string[] = [];
  let enteredAddress = "";
  let focused = "";
  const told: string[] = [];
  let staleText = "";
  let dialogText = "";
  let focusAfterDialog = "";
  let injected = 0;

  const look = async (page: Page, name: string): Promise<void> => {
    faults[name] = await seriousFaults(page);
    const isWide = await page.evaluate<boolean>("document.documentElement.scrollWidth > innerWidth");
    if (isWide) tooWide.push(name);
    injected += await page.locator("#app img, #app script, #app a[href^='javascript']").count();
  };
  /** Presses Tab until the element has the focus. */
  const tabTo = async (page: Page, selector: string): Promise<void> => {
    for (let presses = 0; presses < 80; presses += 1) {
      await page.keyboard.press("Tab");
      if (
        await page
          .locator(selector)
          .first()
          .evaluate((element) => element === element.ownerDocument.activeElement)
      )
        return;
    }
    throw new Error(`Tab does not reach ${selector}`);
  };
  const waitForAsk = (page: Page, kind: string) =>
    page.locator(`[data-kind="${kind}"] form`).first().waitFor();

  beforeAll(async () => {
    world = await createWorld();
    const cassette = await golden();
    const { roles } = cassette;
    const questions = roles.intake[0]?.report?.payload as { questions: { text: string }[] };
    if (questions.questions[0] !== undefined) questions.questions[0].text = hostile;
    for (const role of ["planner", "gemini", "claude"] as const) {
      const [first] = roles[role];
      if (first !== undefined) roles[role] = [first, ...roles[role]];
    }
    const agent = await world.agent(cassette);
    const started = await callIn(world, [
      "run",
      `@orchestrate "Add slugify ${hostile}"`,
      "--json",
      "--agent",
      agent,
    ]);
    run = String(started.json()["run"]);
    server = await servePageOf(world);
    one = await openAddress(server.page.newAddress());
    const { page } = one;
    enteredAddress = page.url();

    // The list, and the run, by the keyboard alone.
    await page.locator("a.run").first().waitFor();
    await look(page, "list");
    await page.keyboard.press("?");
    dialogText = (await page.locator("dialog").textContent()) ?? "";
    await page.keyboard.press("Escape");
    await page.keyboard.press("j");
    focused = await page.evaluate<string>("document.activeElement?.dataset.run ?? ''");
    await page.keyboard.press("Enter");
    await waitForAsk(page, "questions");
    await look(page, "questions");
    await tabTo(page, `textarea[name="Q1"]`);
    for (const id of ["Q1", "Q2", "Q3", "Q4", "Q5"]) {
      await page.keyboard.type(`${id} from the page`);
      if (id !== "Q5") await page.keyboard.press("Tab");
    }
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");

    // The plan comes by itself. A comment on a line goes with the rejection.
    await waitForAsk(page, "plan");
    told.push((await page.locator("[data-news]").textContent()) ?? "");
    await look(page, "plan");
    const two = await openAddress(server.page.newAddress(), { width: 390, scheme: "dark" });
    await two.page.goto(`${two.page.url()}${new URL(page.url()).search}`);
    await waitForAsk(two.page, "plan");
    await look(two.page, "plan, phone, dark");
    await page.locator("#changes button", { hasText: "architecture.md" }).focus();
    await page.keyboard.press("Enter");
    await page.locator("dialog button.number").nth(3).press("Enter");
    await page.keyboard.type("Why a new file?");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await look(page, "document");
    await page.keyboard.press("Escape");
    focusAfterDialog = await page.evaluate<string>("document.activeElement?.textContent ?? ''");
    await page.locator("button.no", { hasText: "Reject with 1 comment" }).press("Enter");

    // Both pages come to the next version of the plan by themselves.
    for (const each of [page, two.page])
      await each.locator(`[data-ask="user_gate_plan#2"] form`).first().waitFor();
    await page.locator("button.yes", { hasText: "Approve" }).press("Enter");
    await waitForAsk(page, "code");
    await page
      .locator("#changes button.link", { hasText: /^[0-9a-f]{10}$/u })
      .last()
      .press("Enter");
    await page.locator("dialog .lines .added").first().waitFor();
    await look(page, "diff");
    await page.keyboard.press("Escape");
    await page.locator("button.yes", { hasText: "Approve" }).press("Enter");
    await page.locator(`.verdict[data-status="complete"]`).waitFor();
    await two.page.locator(`.verdict[data-status="complete"]`).waitFor();
    await look(page, "complete");
    await look(two.page, "complete, phone, dark");
    staleText = (await two.page.locator(".connection").textContent()) ?? "";
  }, 240_000);

  test("the address in the browser has no token", () => {
    expect(enteredAddress).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[a-z0-9]{16}\/$/u);
  });

  test("it is used by the keyboard alone, and says its keys", () => {
    expect(focused).toBe(run);
    expect(dialogText).toContain("what waits for you");
    expect(focusAfterDialog).toBe("architecture.md");
  });

  test("what happens is said to a screen reader, and every open page follows", () => {
    expect(told.join(" ")).toMatch(/run \w+ .*|answered/u);
    expect(staleText).toBe("live");
  });

  test("the journal has what was decided, and the agent the comment", async () => {
    const events = (await world.host.journal.read(run)).map(recorded);
    const decided = eventsOf(events, "result").flatMap(({ outcome, by }) =>
      by === undefined ? [] : [[outcome, by.answeredBy]],
    );
    expect(decided).toEqual(["answered", "reject", "approve", "approve"].map((outcome) => [outcome, "page"]));
    const prompt = (await promptsOf(world, events, "planner")).at(-1) ?? "";
    expect(prompt).toContain("architecture.md:4");
    expect(prompt).toContain("Why a new file?");
  });

  test("no view has a serious fault of accessibility, and none is wider than its screen", () => {
    const views = [
      "list",
      "questions",
      "plan",
      "plan, phone, dark",
      "document",
      "diff",
      "complete",
      "complete, phone, dark",
    ];
    expect(faults).toEqual(Object.fromEntries(views.map((view) => [view, []])));
    expect(tooWide).toEqual([]);
  });

  test("what agents wrote is text and never markup; the page asks nobody else", async () => {
    expect(injected).toBe(0);
    expect(await one.page.locator("h1").textContent()).toContain("<img src=x");
    expect(one.noise).toEqual([]);
  });

  test("a page of another build asks to be loaded again, and a page without a session says so", async () => {
    const { page } = await openAddress(server.page.newAddress());
    await page.locator("a.run").first().waitFor();
    await page.evaluate("document.documentElement.dataset.build = 'older'");
    await page.locator("a.run").first().press("Enter");
    await page.locator(".notice", { hasText: "upgraded" }).waitFor();
    await page.context().clearCookies();
    await page.reload();
    await page.locator(".notice", { hasText: "session has ended" }).waitFor();
    expect(await page.locator("a.run").count()).toBe(0);
  });
});
