/** The dialogue of an open dispatch, as its session adds to it and reads it (TDP-52 to 54). */
import { beforeAll, expect } from "vitest";
import type { DispatchCommand } from "../../src/kernel/command.ts";
import type { RunContext } from "../../src/run/context.ts";
import { observedFact } from "../../src/run/dialogues.ts";
import { observe, queryPage } from "../../src/families/cycles/observations.ts";
import { openWithDialogues } from "../../src/memory/graph/dialogue-graph.ts";
import { openRun } from "../../src/families/open-run.ts";
import { toNewEvent } from "../../src/run/settlement.ts";
import { callIn } from "../cli/here.ts";
import { verifies, verifiesInCi } from "../verifies.ts";
import { newest, settleUntil } from "./by-settling.ts";
import { playUntil, takeSeat, type DispatchStep, type Seat } from "./referee-world.ts";
import { twoCycles } from "./world.ts";

let seat: Seat;
let context: RunContext;
let plan: string;
/** The dialogue of the first cycle. */
let first: string;

const sidOf = ({ line }: DispatchStep) => /S((?:PLAN|TDD)_\w+)/u.exec(line)?.[1] ?? "";
const code = (text: string) => /^error\[(\w+)\]/u.exec(text)?.[1] ?? text;
const refused = async (tool: string, args: Record<string, unknown>) => code(await seat.refused(tool, args));
const page = async (pattern: string, more: object = {}) =>
  (await seat.call("query", { pattern, ...more })) as { observations: string[]; next: number | null };
const query = async (pattern: string) => (await page(pattern)).observations.map(short);

beforeAll(async () => {
  seat = await takeSeat("dptr");
  plan = sidOf(await playUntil(seat, "Ω₃ᴾ", await twoCycles()));
});

verifies(
  "TDP-52",
  "the runtime sets agent, session and time, and without a dispatch nothing can be observed",
  async () => {
    const fake = `OBS[S${plan},R99,A:QA,T:2020-01-01T00:00:00.000Z]: mine`;
    for (const field of [{ A: "QA" }, { R: 99 }, { agent: "QA" }, { session: "x" }, { T: "now" }])
      expect(await refused("observe", { content: "x", ...field })).toBe("bad_request");
    const told = (await seat.call("observe", { content: fake })) as { observation: string };
    const time = /T:([^\]]+)\]/u.exec(told.observation)?.[1] ?? "";
    expect(told.observation).toBe(`OBS[S${plan},R0,A:Ω₃ᴾ,T:${time}]: ${fake}`);
    expect(Math.abs(Date.parse(time) - seat.world.host.clock.now())).toBeLessThan(60_000);
    const { roles } = await twoCycles();
    await seat.call("report", { ...roles.planner[0]?.report });
    expect(await refused("observe", { content: "late" })).toBe("no_dispatch");
    await seat.call("next");
    expect(await query("OBS[*,*,*,*]")).toEqual([`R0 Ω₃ᴾ ${fake}`]);
  },
);

verifies(
  "TDP-53",
  "every mix of values and * is answered in order of writing, and {n-1} of round 0 is empty",
  async () => {
    await seat.call("report", { status: "PA" });
    first = sidOf((await seat.call("next")) as DispatchStep);
    await seat.call("observe", { content: "fails" });
    context = await newest(seat.world);
    const said: Record<string, string> = { green: "passes", test: "clearer", impl: "shorter" };
    const spoken: DispatchCommand[] = [];
    await settleUntil(context, async (command) => {
      const content = said[command.state];
      if (command.type === "dispatch" && content !== undefined) {
        await observe(context, command, content);
        spoken.push(command);
      }
      return command.state === "impl";
    });
    const task = "Turn a title into a URL slug with words() of src/words.js. phase:RED";
    const all = [
      ["R0 MT", task],
      ["R0 QA", "fails"],
      ["R0 MT", "phase:GREEN"],
      ["R0 DE", "passes"],
      ["R1 MT", "REFACTOR phase started"],
      ["R1 QA", "clearer"],
      ["R1 MT", "QA refactor complete"],
      ["R2 DE", "shorter"],
    ].map((each) => each.join(" "));
    const only = (...wanted: readonly string[]) =>
      all.filter((each) => wanted.some((start) => each.startsWith(start)));
    const expected: readonly (readonly [string, readonly string[]])[] = [
      ["*,R{current},*,*", only("R2")],
      ["*,R{n-1},*,*", only("R1")],
      ["*,*,A:QA,*", only("R0 QA", "R1 QA")],
      ["*,*,A:DE,*", only("R0 DE", "R2 DE")],
      ["*,*,A:MT,*", only("R0 MT", "R1 MT")],
      ["*,R0,A:MT,*", only("R0 MT")],
      ["*,R0,*,*", only("R0")],
      ["*,R7,*,*", []],
      ["*,*,A:Ω₃ᵍ,*", only("R0 QA", "R1 QA")],
      ["*,*,*,*", all],
    ];
    const command = spoken.at(-1) ?? never();
    for (const [places, lines] of expected)
      for (const session of ["*", `S${first}`]) {
        const pattern = `OBS[${places.replace("*", session)}]`;
        const { observations } = await queryPage(context, command, { pattern });
        expect({ pattern, lines: observations.map(short) }).toEqual({ pattern, lines });
      }
    const { observations } = await queryPage(context, command, { pattern: "OBS[*,*,*,*]" });
    const time = /T:([^\]]+)\]/u.exec(observations[1] ?? "")?.[1] ?? "";
    const timed = await queryPage(context, command, { pattern: `OBS[*,R0,A:QA,T:${time}]` });
    expect(timed.observations).toEqual([observations[1]]);
    const earlier = { pattern: "OBS[*,R0,A:QA,T:2020-01-01T00:00:00.000Z]" };
    expect((await queryPage(context, command, earlier)).observations).toEqual([]);
    const byPerson = await callIn(seat.world, [
      "memory",
      "query",
      context.run,
      `OBS[S${first},R{n-1},*,*]`,
      "--round",
      "2",
    ]);
    expect(byPerson.stdout.trimEnd().split("\n").map(short)).toEqual(only("R1"));
    const early = await queryPage(context, { ...command, round: 0 }, { pattern: "OBS[*,R{n-1},*,*]" });
    expect(early).toEqual({ observations: [], next: null });
  },
);

verifies(
  "TDP-53",
  "10,000 observations come through the cursor without loss, and a bad pattern is reported with its place",
  async () => {
    await settleUntil(context, async ({ state, key }) => state === "red" && key.includes("C2"));
    const second = sidOf((await seat.call("next")) as DispatchStep);
    expect(second).toMatch(/_C2$/u);
    const entry = (index: number) => ({ session: second, round: 0, agent: "QA", content: `${index}` });
    const observations = Array.from({ length: 10_000 }, (_, index) => entry(index));
    const { journal } = seat.world.host;
    await journal.append(context.run, await journal.head(context.run), [toNewEvent(observedFact(entry(0)))], {
      observations,
    });
    const found: string[] = [];
    let pages = 0;
    for (let after: number | null = 0; after !== null; pages++) {
      const { observations: lines, next } = await page("OBS[*,R{current},A:QA,*]", { after });
      found.push(...lines);
      after = next;
    }
    expect(found.map((text) => short(text).slice("R0 QA ".length))).toEqual(
      observations.map(({ content }) => content),
    );
    expect(pages).toBe(10);
    const few = await page("OBS[*,*,*,*]", { limit: 3 });
    expect([few.observations.length, few.next]).toEqual([3, expect.any(Number)]);
    // At the bracket in place of the missing value.
    const unfinished = `OBS[S${second},R1]`;
    expect(await seat.refused("query", { pattern: unfinished })).toContain(
      `error[bad_pattern]: column ${unfinished.length}: expected "," and the next place`,
    );
    for (const bad of ["", "OBS", "OBS[*,*,*,*", "OBS[*,*,*,*] x", "OBS[*,Rx,*,*]", "OBS[*,*,*,T:now]"])
      expect(await seat.refused("query", { pattern: bad })).toMatch(/^error\[bad_pattern\]: column \d+: /u);
  },
);

verifies(
  ["TDP-54", "CORE-66"],
  "a dispatch sees only its own dialogue; an ended dialogue accepts nothing and can be read by people",
  async () => {
    for (const other of [first, plan]) {
      expect(await refused("query", { pattern: `OBS[S${other},*,*,*]` })).toBe("foreign_session");
      const { observations } = await page("OBS[*,R0,A:MT,*]");
      expect(observations.filter((text) => text.includes(other))).toEqual([]);
    }
    const store = await openWithDialogues(
      { home: seat.world.host.home, clock: seat.world.host.clock },
      { sees: () => true, observe: async () => "" },
    );
    const late = (name: string) => store.addObservations([{ entityName: name, contents: ["late"] }]);
    for (const closed of [first, plan])
      await expect(late(closed)).rejects.toMatchObject({ code: "session_closed" });
    await store.close();
    for (const [closed, count] of [
      [first, 13],
      [plan, 1],
    ] as const) {
      const { code: exit, stdout } = await callIn(seat.world, [
        "memory",
        "query",
        context.run,
        `OBS[S${closed},*,*,*]`,
      ]);
      expect([exit, stdout.trimEnd().split("\n").length]).toEqual([0, count]);
    }
  },
);

verifiesInCi("TDP-54", "the dialogues of two runs of one repository never mix", async () => {
  const { world } = seat;
  const run = await world.start((await twoCycles()) as never, { protocol: "dptr" });
  const other = await openRun(world.host, { run });
  const open = await settleUntil(other, async ({ state }) => state === "plan");
  if (open.type !== "dispatch") return never();
  await observe(other, open, `of the other run, ghp_${"a".repeat(24)}`);
  const lines = async (pattern: string) =>
    (await queryPage(other, open, { pattern })).observations.map(short);
  expect(await lines("OBS[*,*,*,*]")).toEqual(["R0 Ω₃ᴾ of the other run, [secret]"]);
  await expect(lines(`OBS[S${first},*,*,*]`)).rejects.toMatchObject({ code: "foreign_session" });
  expect(await refused("query", { pattern: `OBS[S${open.session ?? ""},*,*,*]` })).toBe("foreign_session");
  const own = await page("OBS[*,*,A:Ω₃ᴾ,*]");
  expect(own.observations).toEqual([]);
});

function short(text: string): string {
  return text.replace(/^OBS\[S\w+,(R\d+),A:([^,]+),T:[^\]]+\]: /u, "$1 $2 ");
}

function never(): never {
  throw new Error("the run is not where it should be");
}
