/** A decision in the page of the started `mettle ui`. */
import { spawn } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { packageRoot } from "../../src/config/package-root.ts";
import type { RunModel } from "../../src/views/model/run-model.ts";
import { enter, type Answer } from "../page/page-server.ts";
import type { SharedHost } from "./world.ts";

interface Listed {
  readonly repositories: readonly {
    readonly id: string;
    readonly runs: readonly { readonly run: string }[];
  }[];
}

/**
 * Approves what the run waits for.
 * @param more variables of the page
 * @param after what is waited for, up to a minute, before the page ends
 */
export async function decideInPage(
  host: SharedHost,
  run: string,
  more: Readonly<Record<string, string>>,
  after: () => Promise<void> = async () => undefined,
): Promise<Answer> {
  const page = spawn(process.execPath, [packageRoot("dist/bin/mettle.js"), "ui", "--no-open"], {
    cwd: host.dir,
    env: { ...host.env, ...more },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = new Promise((resolve) => page.once("close", resolve));
  try {
    const address = await new Promise<string>((resolve) =>
      page.stdout.once("data", (chunk: Buffer) => resolve(chunk.toString("utf8").trim())),
    );
    const browser = await enter(address);
    const { repositories } = (await browser.get("runs")).json as unknown as Listed;
    const shown = repositories.find(({ runs }) => runs.some((one) => one.run === run));
    const path = `repositories/${shown?.id ?? ""}/runs/${run}`;
    const [ask] = ((await browser.get(path)).json["model"] as RunModel).asks;
    const decided = await browser.post(`${path}/decisions`, {
      type: "approve",
      ask: ask?.key,
      hash: ask?.hash,
    });
    await pause(1000);
    await after();
    return decided;
  } finally {
    page.kill("SIGTERM");
    await ended;
  }
}
