import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newFolder } from "../../test/support/folder.ts";
import { systemClock } from "../lib/clock.ts";
import { servePage } from "./serve.ts";

const hash = `sha256:${"0".repeat(64)}`;

test("after an upgrade the server says so to each open page, and decides nothing more", async () => {
  const program = join(newFolder(), "mettle.js");
  writeFileSync(program, "version 1");
  const decided: unknown[] = [];
  const decide = (_: unknown, decision: unknown) => Promise.resolve(void decided.push(decision));
  const page = await servePage({
    port: 0,
    stateRoot: newFolder(),
    env: {},
    clock: systemClock,
    version: "1",
    folder: newFolder(),
    program: [program],
    deciders: { decide, answerGate: decide },
    signal: new AbortController().signal,
    warn: () => undefined,
  });
  const entered = await fetch(page.newAddress(), { redirect: "manual" });
  const Cookie = entered.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  const base = page.newAddress().replace(/enter\?.*/u, "");
  const headers = { Cookie, Origin: new URL(base).origin, "Content-Type": "application/json" };
  const post = (path: string, body: object) =>
    fetch(`${base}api/repositories/r/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  const posts = () =>
    Promise.all([
      post("runs/x/decisions", { type: "pause", state: hash }),
      post("gates", { branch: "b", gate: "1_testing", hash, sets: [] }),
    ]);
  const firstEvents = async (): Promise<string> => {
    const reader = (await fetch(`${base}api/live`, { headers })).body?.getReader();
    let text = "";
    while (!text.includes("event: runs")) text += Buffer.from((await reader?.read())?.value ?? []).toString();
    await reader?.cancel();
    return text;
  };

  expect((await posts()).map(({ status }) => status)).toEqual([404, 404]); // the repository is unknown
  expect(await firstEvents()).not.toContain("event: replaced");
  writeFileSync(program, "version 22");
  for (const answer of await posts()) {
    expect(answer.status).toBe(409);
    expect(await answer.json()).toMatchObject({
      error: { code: "program_replaced", hint: expect.stringContaining("start it again") },
    });
  }
  expect(decided).toEqual([]);
  expect(await firstEvents()).toContain("event: replaced");
  await page.close();
});
