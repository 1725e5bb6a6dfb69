/** The Chromium of this machine without a network: a test that needs it is skipped, with a warning, where there is none. */
import { existsSync } from "node:fs";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import { afterFile } from "../support/folder.ts";

const places = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/snap/bin/chromium",
];

export const chromiumPath = places.find((place) => existsSync(place)) ?? null;
export const noChromium = `no Chromium at ${places.join(", ")}`;

let started: Promise<Browser> | null = null;

/** One browser for all tests of a file. */
function browser(): Promise<Browser> {
  started ??= chromium.launch({
    executablePath: chromiumPath ?? "",
    // Root has no sandbox, and pages of tests are ours.
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
  });
  afterFile(async () => {
    const one = await started;
    started = null;
    await one?.close();
  });
  return started;
}

export interface OpenPage {
  readonly page: Page;
  /** Requests beyond the page itself, messages of its console, dialogs: a page to keep has none of them. */
  readonly noise: readonly string[];
}

export interface View {
  readonly width?: number;
  readonly scheme?: "light" | "dark";
}

/** Opens a file without any network. */
export async function openFile(file: string, view: View = {}): Promise<OpenPage> {
  return openIn(await newContext(view, true), `file://${file}`);
}

/** Opens an address of this machine in a browser that knows nothing yet: no session of another page. */
export async function openAddress(address: string, view: View = {}): Promise<OpenPage> {
  return openIn(await newContext(view, false), address);
}

async function newContext(
  { width = 1280, scheme = "light" }: View,
  offline: boolean,
): Promise<BrowserContext> {
  const one = await browser();
  return one.newContext({ viewport: { width, height: 900 }, colorScheme: scheme, offline });
}

async function openIn(context: BrowserContext, address: string): Promise<OpenPage> {
  const page = await context.newPage();
  const noise: string[] = [];
  const { origin } = new URL(address);
  page.on("request", (request) => {
    const url = request.url();
    if (url !== address && (origin === "null" || new URL(url).origin !== origin))
      noise.push(`request ${url}`);
  });
  page.on("console", (message) => noise.push(`console ${message.text()}`));
  page.on("pageerror", (error) => noise.push(`error ${error.message}`));
  page.on("dialog", (dialog) => {
    noise.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(address);
  return { page, noise };
}
