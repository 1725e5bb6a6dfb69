// Pictures of the live page: a run that waits for a decision, wide and on a phone; a run that was refused once, dark; a tree.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { root } from "../setup/root.mjs";
import { servePageOf } from "../setup/serve-page.mjs";
import { answers, demoRepository, mettleEnv, program, task } from "./world.mjs";

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

const wide = { viewport: { width: 1120, height: 980 }, colorScheme: "light", deviceScaleFactor: 1.5 };
const phone = { viewport: { width: 390, height: 844 }, colorScheme: "light", deviceScaleFactor: 2 };
const pictures = [
  { name: "page-decision", run: "waiting", view: wide, part: null },
  { name: "page-phone", run: "waiting", view: phone, part: "#asks" },
  { name: "page-dark", run: "proven", view: { ...wide, colorScheme: "dark" }, part: "#timeline" },
  { name: "page-tree", run: "tree", view: wide, part: "#timeline" },
];

export async function takePagePictures(folder) {
  const executablePath = places.find((place) => existsSync(place));
  if (executablePath === undefined) throw new Error("pictures of the page need Chromium in /usr/bin");
  const place = mkdtempSync(join(tmpdir(), "mettle-pictures-"));
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  process.env.METTLE_HOME = mettleEnv(place).METTLE_HOME;
  const page = await servePageOf(process.env.METTLE_HOME);
  try {
    const runs = playRuns(place);
    for (const { name, run, view, part } of pictures) {
      const shown = await (await browser.newContext(view)).newPage();
      await shown.goto(page.newAddress());
      await shown.locator(`a.run[data-run="${runs[run]}"]`).first().click();
      await shown.locator("#agents").waitFor();
      await shown.evaluate(withoutPlaces(place));
      if (part !== null) await shown.locator(part).evaluate((section) => section.scrollIntoView());
      writeFileSync(join(folder, `${name}.webp`), await webpOf(shown));
      await shown.context().close();
    }
  } finally {
    await browser.close();
    await page.close();
    rmSync(place, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** @returns ids of the runs: one that waits for its plan, one that is proven after a refusal, and a tree */
function playRuns(place) {
  const words = demoRepository(place, "orchestrate");
  const shop = demoRepository(place, "graph");
  const agentOf = (protocol) => [
    "--agent",
    `scripted:${join(root, "protocols", protocol, "demo/honest.yaml")}`,
  ];
  const mettle = (cwd, ...argv) => {
    try {
      return JSON.parse(execFileSync(process.execPath, [program, ...argv, "--json"], optionsFor(place, cwd)))
        .run;
    } catch (error) {
      // 3: it waits for a person.
      if (error.status !== 3) throw error;
      return JSON.parse(error.stdout).run;
    }
  };
  const begun = () => {
    const run = mettle(words, "run", task, ...agentOf("orchestrate"));
    mettle(words, "answer", run, ...answers.map((answer, index) => `Q${index + 1}=${answer}`));
    return run;
  };
  const proven = begun();
  mettle(words, "approve", proven);
  mettle(words, "approve", proven);
  const spec = ["--spec", join(root, "protocols/graph/demo/spec.yaml")];
  const tree = mettle(shop, "run", "--protocol", "graph", ...spec, ...agentOf("graph"));
  return { proven, tree, waiting: begun() };
}

function optionsFor(place, cwd) {
  return {
    env: mettleEnv(place),
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    timeout: 180_000,
  };
}

/** Names of folders say nothing about Mettle. A script of the browser. */
function withoutPlaces(place) {
  return `{
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) texts.currentNode.data = texts.currentNode.data.replaceAll(${JSON.stringify(place)}, "~");
  }`;
}

/** WebP is a third of a PNG. */
async function webpOf(page) {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 85 });
  return Buffer.from(data, "base64");
}
