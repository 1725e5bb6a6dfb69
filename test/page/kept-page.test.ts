// @module-tag ci
/** The page to keep, opened in a real Chromium without a network, against the journal and the records of its run. */
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import type { EvidenceRecord } from "../../src/evidence/record.ts";
import { commandText } from "../../src/views/gate/execution-block.ts";
import { safeLine } from "../../src/lib/safe-text.ts";
import { newFolder } from "../support/folder.ts";
import { pageFile } from "../../src/page/file/page-file.tsx";
import { hostileModel, hostileTexts } from "./hostile-run.ts";
import { verifiesWhen } from "../verifies.ts";
import { eventsOf } from "../orchestrate/world.ts";
import { chromiumPath, noChromium, openFile } from "./chromium.ts";
import { keepRun, type KeptRun } from "./kept-runs.ts";

const has = chromiumPath !== null;

describe("the page of a run that was refused once", () => {
  let kept: KeptRun;
  beforeAll(async () => {
    kept = await keepRun();
  }, 180_000);

  const recordOf = (id: string): EvidenceRecord => {
    const record = kept.records.get(id);
    if (record === undefined) throw new Error(`no record ${id}`);
    return record;
  };

  verifiesWhen(has, noChromium, "SEE-12", "has every fact of the journal, without any request", async () => {
    const { page, noise } = await openFile(kept.file);
    const { events, run } = kept;
    const [started] = eventsOf(events, "run.started");
    expect(await page.locator("h1").textContent()).toBe(started?.task);
    expect(await page.locator(".verdict").getAttribute("data-proved")).toBe("true");

    // What was asked, and what it is tested by.
    const spec = kept.texts.get(
      eventsOf(events, "document.written").find(({ name }) => name === "spec")?.ref ?? "",
    );
    const asked = await textOf(page, "#asked");
    for (const id of spec?.match(/\b(?:FR|EC|ERR)\d+\b/gu) ?? []) expect(asked).toContain(id);
    for (const { text } of eventsOf(events, "questions.asked").flatMap(({ questions }) => questions))
      expect(asked).toContain(text);
    for (const { text } of eventsOf(events, "question.answered")) expect(asked).toContain(text);
    const [frozen] = eventsOf(events, "files.frozen");
    expect(await attributes(page, "#asked [data-test]", "data-test")).toEqual(frozen?.required);

    // What was proved and how: every record with its command, its last lines and its exit.
    const evidence = await textOf(page, "#evidence");
    for (const { id, purpose, exitCode } of eventsOf(events, "record.written")) {
      const row = await textOf(page, `#evidence tr[data-row="${id}"]`);
      for (const part of [id, purpose, String(exitCode)]) expect(row).toContain(part);
      const { lastLines, output, ...record } = recordOf(id);
      expect(evidence).toContain(commandText(record));
      for (const line of lastLines.slice(-20)) expect(evidence).toContain(line.trimEnd());
      expect(evidence).toContain(output);
    }
    const judged = eventsOf(events, "gate.judged");
    expect(await attributes(page, "#gates .attempt", "data-verdict")).toEqual(
      judged.map(({ verdict }) => verdict),
    );
    const gates = await textOf(page, "#gates");
    for (const { reasons, findings } of judged)
      for (const words of [...reasons, ...findings]) expect(safeLine(gates)).toContain(safeLine(words));

    // What was refused.
    const refused = await attributes(page, "#refused [data-refusal]", "data-refusal");
    const countOf = (kind: string) => refused.filter((one) => one === kind).length;
    expect(countOf("gate")).toBe(judged.filter(({ verdict }) => verdict !== "pass").length);
    expect(countOf("claim")).toBe(eventsOf(events, "claim.unverified").length);
    expect([countOf("gate"), countOf("claim")]).toEqual([1, 2]);

    // Reviews, decisions, cost.
    const reviews = eventsOf(events, "review.given");
    expect(await attributes(page, ".review", "data-review")).toEqual(reviews.map(({ verdict }) => verdict));
    const decisions = await textOf(page, "#decisions");
    for (const { hash } of eventsOf(events, "ask.shown")) expect(decisions).toContain(hash.slice(7, 19));
    expect(await textOf(page, "#agents")).toContain("No agent reported what it cost.");
    for (const { key } of eventsOf(events, "dispatch.started"))
      expect(await page.locator(`#agents tr[data-row="${key}"]`).count()).toBe(1);

    // How to check it.
    expect(await textOf(page, "#reproduce")).toContain(`mettle verify ${run} --replay`);
    expect(noise).toEqual([]);
  });

  test.skipIf(!has)(
    "shows the last result of each test, as the newest run of the tests gave it",
    async () => {
      const { page } = await openFile(kept.file);
      const newest = new Map<string, string>();
      for (const { purpose, tests } of kept.records.values())
        if (/^baseline$|[.]tests$/u.test(purpose)) for (const { id, status } of tests) newest.set(id, status);
      const rows = page.locator("#tests tr[data-row^='test ']");
      const shown = await rows.evaluateAll((all) =>
        all.map((row) => [row.getAttribute("data-row")?.slice(5), row.querySelector(".mark.good") !== null]),
      );
      expect(Object.fromEntries(shown)).toEqual(
        Object.fromEntries([...newest].map(([id, status]) => [id, status === "passed"])),
      );
    },
  );

  test.skipIf(!has)("is no wider than a phone, and folds open by keyboard without a script", async () => {
    for (const view of [
      { width: 390, scheme: "dark" },
      { width: 1280, scheme: "light" },
    ] as const) {
      const { page } = await openFile(kept.file, view);
      expect(await widths(page)).toEqual([view.width, view.width]);
    }
    const { page } = await openFile(kept.file);
    const fold = page.locator("#evidence details").first();
    await fold.locator("summary").focus();
    expect(await fold.locator("pre").isVisible()).toBe(false);
    await page.keyboard.press("Enter");
    expect(await fold.locator("pre").isVisible()).toBe(true);
  });

  test.skipIf(!has)("a printed page shows what is folded", async () => {
    const { page } = await openFile(kept.file);
    const output = page.locator("#evidence details pre").first();
    expect(await output.isVisible()).toBe(false);
    await page.emulateMedia({ media: "print" });
    expect(await output.isVisible()).toBe(true);
  });

  test("an existing file is replaced, and a folder is refused with what helps", async () => {
    const folder = newFolder();
    const file = join(folder, "a page.html");
    await writeFile(file, "old");
    const shown = await kept.call("show", kept.run, "--html", file, "--json");
    const { html, bytes } = JSON.parse(shown.stdout) as { html: string; bytes: number };
    expect([shown.code, html, bytes > 50_000]).toEqual([0, file, true]);
    const refused = await kept.call("show", kept.run, "--html", folder);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining("name a file in an existing folder"),
    ]);
    expect((await kept.call("show", "nope", "--html", file)).stderr).toContain("error[run_unknown]");
  });
});

test.skipIf(!has)("a run of hostile texts runs nothing, asks nothing and fits a phone", async () => {
  const file = join(newFolder(), "hostile.html");
  await writeFile(file, pageFile(hostileModel(), hostileTexts()));
  const { page, noise } = await openFile(file, { width: 390 });
  await page.locator("details").evaluateAll((all) => all.forEach((one) => one.setAttribute("open", "")));
  expect(await page.locator("script, img, iframe, a[href^='javascript']").count()).toBe(0);
  expect(await widths(page)).toEqual([390, 390]);
  expect(noise).toEqual([]);
});

function widths(page: Page): Promise<readonly [number, number]> {
  return page.evaluate(() => [globalThis.document.documentElement.scrollWidth, globalThis.innerWidth]);
}

/** A run whose stored record is gone. */
test("what cannot be read is named, and all the rest is shown", async () => {
  const kept = await keepRun("--cheat");
  const written = eventsOf(kept.events, "record.written").find(({ purpose }) => purpose === "red");
  const hex = written?.ref.slice("sha256:".length) ?? "";
  await rm(join(kept.payloads, hex.slice(0, 2), hex));
  const shown = await kept.call("show", kept.run, "--html", kept.file);
  expect([shown.code, shown.stderr]).toEqual([0, ""]);
  const page = await readFile(kept.file, "utf8");
  expect(page).toContain(`not shown: record ${written?.id ?? ""}`);
  expect(page).toContain(`data-row="${written?.id ?? ""}"`);
  expect(page).toContain('data-status="halted" data-proved="false"');
}, 180_000);

async function textOf(page: Page, selector: string): Promise<string> {
  return (await page.locator(selector).textContent()) ?? "";
}

function attributes(page: Page, selector: string, name: string): Promise<readonly (string | null)[]> {
  return page
    .locator(selector)
    .evaluateAll((all, attribute) => all.map((one) => one.getAttribute(attribute)), name);
}
