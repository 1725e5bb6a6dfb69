/** The page of a world's runs, served in this process as `mettle ui` serves it, and browsers that talk to it without a screen. */
import { vi } from "vitest";
import { decideGate } from "../../src/cli/page/decide-gate.ts";
import { decideRun } from "../../src/cli/page/decide.ts";
import { drives } from "../../src/cli/page/drives.ts";
import { packageRoot } from "../../src/config/package-root.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { withExecutor } from "../../src/run/host.ts";
import { servePage, type ServedPage } from "../../src/ui/serve.ts";
import type { World } from "../orchestrate/world.ts";
import { executeOnce } from "../support/executed-once.ts";
import { afterFile } from "../support/folder.ts";

export interface PageServer {
  readonly page: ServedPage;
  /** What the terminal of `mettle ui` shows. */
  readonly warnings: readonly string[];
  /** A browser with a session of its own. */
  browser(): Promise<Browser>;
  close(): Promise<void>;
}

export interface Browser {
  /** Address of the page. */
  readonly base: string;
  readonly cookie: string;
  get(path: string): Promise<Answer>;
  post(path: string, body: unknown): Promise<Answer>;
}

export interface Answer {
  readonly status: number;
  readonly json: Record<string, unknown>;
}

/** Ends with the file, runs that it drives included. */
export async function servePageOf(world: Pick<World, "home" | "env">): Promise<PageServer> {
  for (const [name, value] of Object.entries(world.env)) vi.stubEnv(name, value);
  const ended = new AbortController();
  const warnings: string[] = [];
  const io = { signal: ended.signal, cwd: world.home, warn: (line: string) => void warnings.push(line) };
  const driven = drives(io);
  const page = await withExecutor(executeOnce, () =>
    servePage({
      port: 0,
      stateRoot: world.home,
      env: world.env,
      clock: systemClock,
      version: "0.0.0-test",
      folder: packageRoot("dist", "page"),
      deciders: { decide: decideRun(driven), answerGate: decideGate },
      signal: ended.signal,
      warn: io.warn,
    }),
  );
  const close = async (): Promise<void> => {
    ended.abort();
    await page.close();
    await driven.stopped();
    vi.unstubAllEnvs();
  };
  afterFile(close);
  return { page, warnings, close, browser: () => enter(page.newAddress()) };
}

/** @param address as `mettle ui` prints it */
export async function enter(address: string): Promise<Browser> {
  const entered = await fetch(address, { redirect: "manual" });
  const cookie = entered.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  const base = address.replace(/enter\?.*/u, "");
  const answer = async (response: Response): Promise<Answer> => ({
    status: response.status,
    json: (await response.json()) as Record<string, unknown>,
  });
  return {
    base,
    cookie,
    get: async (path) => answer(await fetch(`${base}api/${path}`, { headers: { Cookie: cookie } })),
    post: async (path, body) =>
      answer(
        await fetch(`${base}api/${path}`, {
          method: "POST",
          headers: { Cookie: cookie, Origin: new URL(base).origin, "Content-Type": "application/json" },
          body: JSON.stringify(body),
        }),
      ),
  };
}
