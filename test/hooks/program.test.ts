/** The built `mettle hook` answers like the functions that the other tests call in-process. */
import { readFile } from "node:fs/promises";
import { beforeAll, expect, test } from "vitest";
import { packageRoot } from "../../src/config/package-root.ts";
import { openSession, type HookAnswer, type HookSession } from "./session.ts";
import { inCi } from "../verifies.ts";

/** Two equal sessions, since some answers are given only once. */
let program: HookSession;
let here: HookSession;
beforeAll(async () => {
  program = await opened();
  here = await opened();
});

async function opened(): Promise<HookSession> {
  const session = await openSession("dptr");
  await session.referee.enter({ mode: "Ω₁ᴾ", ctx: "Add slugify(text)" });
  await session.bind();
  return session;
}

async function unnamed({ world }: HookSession, answer: HookAnswer): Promise<unknown> {
  const runs = await world.host.journal.runs();
  const text = [...runs, world.repository.dir, world.home].reduce(
    (all, name) => all.replaceAll(name, "_"),
    JSON.stringify(answer),
  );
  return JSON.parse(text);
}

inCi("each recorded input gets the same answer from the built program as in this process", async () => {
  const { inputs } = JSON.parse(await readFile(packageRoot("test/hooks/claude.json"), "utf8")) as {
    readonly inputs: object;
  };
  let spoken = 0;
  // Plans need the store, for which the program may not wait long enough on a busy machine.
  for (const name of Object.keys(inputs).filter((each) => !each.includes("ExitPlanMode"))) {
    const given = await program.hookByProgram(name);
    expect([name, await unnamed(here, await here.hook(name))]).toEqual([name, await unnamed(program, given)]);
    if (given.stdout !== "") spoken += 1;
  }
  expect(spoken).toBeGreaterThan(0);
});

test("the program loads parsers and schemas on demand: its own file is small", async () => {
  expect((await readFile(packageRoot("dist/bin/hook.cjs"))).length).toBeLessThan(100_000);
});
