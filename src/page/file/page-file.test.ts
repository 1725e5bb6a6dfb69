import { describe, expect, test } from "vitest";
import { emptyView } from "../../log/run-view.ts";
import { runModel } from "../../views/model/build-model.ts";
import type { RunTexts } from "../../views/model/run-texts.ts";
import { largeRun } from "../../../test/page/large-run.ts";
import { inCi } from "../../../test/verifies.ts";
import { hostileModel, hostileTexts } from "../../../test/page/hostile-run.ts";
import { pageFile } from "./page-file.tsx";

const noTexts: RunTexts = { documents: {}, prompts: {}, outputs: {} };

describe("a page of hostile texts", () => {
  const page = pageFile(hostileModel(), hostileTexts());

  test("has no element, attribute or link that the text brought", () => {
    const body = page.slice(page.indexOf("<body>"));
    expect(body).not.toMatch(/<(?:script|img|iframe|object|embed|link|base|form)\b/iu);
    expect(body).not.toMatch(/<[^>]+\son\w+=/iu);
    expect(body).not.toMatch(/href="(?!#)/u);
    expect(page.match(/<\/style>/gu)).toHaveLength(1);
    expect(page.slice(0, page.indexOf("<body>")).match(/<\/title>/gu)).toHaveLength(1);
  });

  test("has no control characters, and no marks that turn text around", () => {
    // eslint-disable-next-line no-control-regex
    expect(page.search(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/u)).toBe(-1);
  });

  test("shows every text as text", () => {
    expect(page).toContain("&lt;script>alert(1)&lt;/script>");
  });

  test("forbids every script and every request", () => {
    expect(page).toContain(
      `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:;`,
    );
  });
});

inCi("10,000 events and 1,000 nodes make a page that says what it leaves out", () => {
  const facts = largeRun(1000, 300);
  expect(facts.events).toHaveLength(10_003);
  const model = runModel(facts);
  expect(model.nodes).toHaveLength(1001);
  expect(model.tests.runs).toHaveLength(300);
  const page = pageFile(model, noTexts);
  expect(page.length).toBeLessThan(6_000_000);
  // Nodes beside the drawn ones, in picture and table; runs of tests.
  for (const count of ["851 more rows", "501 more rows", "700 more rows"]) expect(page).toContain(count);
  // All figures count everything.
  expect(page).toContain("$10.00");
  expect(page).toContain('<dd data-figure="Refused attempts">1000</dd>');
});

test("a run of which nothing is known yet has a page", () => {
  expect(pageFile(runModel({ view: emptyView("r1"), events: [], owner: null }), noTexts)).toContain(
    "<h1>Run r1</h1>",
  );
});
