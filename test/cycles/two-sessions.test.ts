/**
 * The run survives sessions that come and go; of two open ones, one has a dispatch (TDP-79, TDP-80).
 * @module-tag ci
 */
import { spawn } from "node:child_process";
import { beforeAll, expect } from "vitest";
import { bundleProgram, type Bundle } from "../support/bundle.ts";
import { verifies } from "../verifies.ts";
import type { World } from "../orchestrate/world.ts";
import { newest, settleUntil } from "./by-settling.ts";
import {
  playUntil,
  seatAt,
  seatByProgram,
  sessionWorld,
  type DispatchStep,
  type ProgramSeat,
} from "./referee-world.ts";
import { oneCycle, type Role } from "./world.ts";

let talking: Bundle;
let world: World;
let first: ProgramSeat;
let second: ProgramSeat;
beforeAll(async () => {
  talking = await bundleProgram(`
    import { writeSync } from "node:fs";
    import { openHost } from "./src/run/host.ts";
    import { openRun } from "./src/families/open-run.ts";
    import { observe } from "./src/families/cycles/observations.ts";
    import { openDispatch } from "./src/families/cycles/active-state.ts";
    import { openWithDialogues } from "./src/memory/graph/dialogue-graph.ts";
    const [dir, home, run, name, turns] = process.argv.slice(2);
    const host = await openHost(dir, { METTLE_HOME: home });
    const context = await openRun(host, { run });
    const graph = await openWithDialogues({ home: host.home, clock: host.clock }, { sees: () => true });
    for (let n = 0; n < Number(turns); n++) {
      await observe(context, openDispatch(context), "o-" + name + "-" + n);
      writeSync(1, "o-" + name + "-" + n + "\\n");
      await graph.createEntities([{ name: "e-" + name + "-" + n, entityType: "t", observations: [] }]);
      writeSync(1, "e-" + name + "-" + n + "\\n");
    }
    await graph.close();
    await host.journal.close();
  `);
  world = await sessionWorld("dptr");
  [first, second] = await Promise.all([seatByProgram(world), seatByProgram(world)]);
});

const code = (text: string) => /^error\[(\w+)\]/u.exec(text)?.[1] ?? text;
const dispatch = async (seat: ProgramSeat) => (await seat.call("next")) as DispatchStep;

verifies("TDP-80", "of two sessions one holds the dispatch, and of their reports one counts", async () => {
  const { line } = (await first.call("enter", { mode: "Ω₁ᴾ", ctx: "Add slugify(text)" })) as DispatchStep;
  for (const tool of ["next", "enter"]) {
    const text = await second.refused(tool, tool === "enter" ? { mode: "Ω₁ᴾ" } : {});
    expect(text).toMatch(new RegExp(`^error\\[role_busy\\]: .*\\b${first.pid}\\b`, "u"));
    expect(text).toContain(line);
  }
  const report = { ...(await oneCycle()).roles.designer[0]?.report };
  const told = await Promise.all(
    [first, second, first, second].map(({ mcp }) => mcp.callTool({ name: "report", arguments: report })),
  );
  const texts = told.map(({ content }) => (content as { text: string }[])[0]?.text ?? "");
  const refusals = texts.filter((text) => text.startsWith("error"));
  expect(refusals.map(code)).toEqual(["already_reported", "already_reported", "already_reported"]);
  expect(refusals.every((text) => text.includes(line))).toBe(true);
  const events = await first.events();
  expect(events.filter(({ type }) => type === "result").length).toBe(1);
  expect(events.filter(({ type }) => type === "report.refused").length).toBe(3);
  // No session holds the next dispatch: the first to ask gets it.
  const { line: audit } = await dispatch(second);
  expect(audit).toBe("Ω₂ᴬ[CTX:slugify]");
  expect(code(await first.refused("next"))).toBe("role_busy");
  expect(await second.call("status")).toMatchObject({ line: audit });
  await (await newest(world)).session.abort("enough", undefined);
});

verifies("TDP-80", "a session after the end of another gets the same dispatch in every mode", async () => {
  const cassette = await oneCycle();
  const { pid } = second;
  await second.mcp.close();
  /** Of the process that has just ended. */
  const gone = seatAt(world, { pid, started: "" });
  await gone.call("enter", { mode: "Ω₁ᴾ", ctx: "Add slugify(text)" });
  const seen: string[] = [];
  const renewed = async () => {
    const before = (await gone.call("next")) as DispatchStep;
    expect(await first.call("next")).toEqual(before);
    expect(code(await gone.refused("next"))).toBe("role_busy");
    seen.push(before.line.replace(/\[S\w+/u, "[S").slice(0, 4));
    return before;
  };
  for (let at = await renewed(); at.mode !== "Ω₅ᵀ"; at = await renewed())
    await first.call("report", { ...cassette.roles[at.role as Role][0]?.report });
  await settleUntil(await newest(world), async ({ state }) => state === "review");
  await renewed();
  expect(seen).toEqual(["Ω₁ᴾ[", "Ω₂ᴬ[", "Ω₂ᴬ[", "Ω₃ᴾ[", "Ω₄ᶜ[", "QA[S", "Ω₆ⱽ["]);
});

verifies(
  "TDP-79",
  "observations and graph changes of several processes are kept in one order, even if some are killed",
  async () => {
    await (await newest(world)).session.abort("enough", undefined);
    await playUntil(first, "Ω₃ᴾ", await oneCycle());
    const { run } = await newest(world);
    const isKilled = (index: number) => index < 2;
    const children = Array.from({ length: 8 }, (_, index) =>
      talker(run, `t${index}`, isKilled(index) ? Infinity : turns),
    );
    for (const { child, some } of children.filter((_, index) => isKilled(index)))
      void some.then(() => child.kill("SIGKILL"));
    const ends = await Promise.all(children.map(({ ended }) => ended));
    expect(ends).toEqual([null, null, 0, 0, 0, 0, 0, 0]);
    const { observations } = (await first.call("query", { pattern: "OBS[*,*,*,*]", limit: 1000 })) as {
      observations: string[];
    };
    const { entities } = (await first.call("read_graph")) as {
      entities: { name: string; observations: string[] }[];
    };
    const contents = observations.map((text) => text.replace(/^[^ ]* /u, ""));
    const names = entities.map(({ name }) => name);
    const said = children.flatMap(({ acknowledged }) => acknowledged());
    expect(said.length).toBeGreaterThan(6 * turns * 2);
    for (const each of said) {
      const kept = each.startsWith("o") ? contents : names;
      expect({ each, times: kept.filter((other) => other === each).length }).toEqual({ each, times: 1 });
    }
    expect(new Set(contents).size).toBe(contents.length);
    expect(entities.findLast(({ name }) => name.startsWith("PLAN_"))?.observations).toEqual(observations);
  },
);

/** Turns of each process: in each it adds an observation and an entity. One that is killed has no last turn. */
const turns = 125;

/** A process that makes calls, and the acknowledged ones. */
function talker(run: string, name: string, turns: number) {
  const child = spawn(
    process.execPath,
    [talking.file, world.repository.dir, world.home, run, name, String(turns)],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  let said = "";
  const some = new Promise<void>((resolve) =>
    child.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      if (said.split("\n").length > 10) resolve();
    }),
  );
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  // A line that the kill cut off was not acknowledged.
  return { child, some, ended, acknowledged: () => said.split("\n").slice(0, -1) };
}
