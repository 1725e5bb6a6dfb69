/** An approval is valid only for the design that the critic saw (TDP-61). */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { NextStep } from "../../src/referee/advance.ts";
import { openRun } from "../../src/families/open-run.ts";
import { verifies, verifiesInCi } from "../verifies.ts";
import { playOn, playUntil, takeSeat, type DispatchStep, type Seat } from "./referee-world.ts";
import { newest, settleUntil } from "./by-settling.ts";
import type { World } from "../orchestrate/world.ts";
import { createCyclesWorld, dispatchLines, oneCycle, type CyclesCassette } from "./world.ts";

const file = ({ repository }: World) => join(repository.dir, "memory-bank", "systemPatterns.md");
const edit = async (world: World, from: string, to: string) => {
  const text = await readFile(file(world), "utf8");
  expect(text).toContain(from);
  await writeFile(file(world), text.replace(from, to));
};
const approved = async (seat: Seat) => {
  const { state } = (await seat.call("status")) as { state: Record<string, unknown> };
  return { design: state["design_approved"], plan: state["plan_approved"], tdd: state["tdd_mode"] };
};
const lineOf = (at: unknown) => (at as DispatchStep).line;

let seat: Seat;
let cassette: CyclesCassette;
beforeAll(async () => {
  seat = await takeSeat("dptr");
  cassette = await oneCycle();
  await playUntil(seat, "Ω₃ᴾ", cassette);
});

verifies("TDP-61", "an edit elsewhere in σ₂ changes nothing", async () => {
  await writeFile(file(seat.world), `${await readFile(file(seat.world), "utf8")}\n## Notes\n\nMine.\n`);
  const line = lineOf(await seat.call("enter", { mode: "Ω₃ᴾ" }));
  expect([line, await approved(seat)]).toEqual([
    expect.stringMatching(/^Ω₃ᴾ\[SPLAN_\w+,R0\]$/u),
    { design: true, plan: false, tdd: false },
  ]);
});

test("σ₂ without any module is reported, and nothing changes", async () => {
  const before = await readFile(file(seat.world), "utf8");
  const { length } = await seat.events();
  await writeFile(file(seat.world), before.replaceAll("### ", ""));
  expect(await seat.refused("enter", { mode: "Ω₃ᴾ" })).toMatch(
    /^error\[memory_unreadable\]: .*module_specifications: a design names at least one module\nhint: correct memory-bank\/systemPatterns\.md/u,
  );
  await writeFile(file(seat.world), before);
  expect((await seat.events()).length).toBe(length);
});

verifiesInCi(
  "TDP-61",
  "a changed module is named, the approval lapses, and the audit of the changed design continues the run",
  async () => {
    await edit(seat.world, "### initials", "### initials\n\nOf the first two words only.\n\n### acronym");
    expect(await seat.refused("enter", { mode: "Ω₃ᴾ" })).toMatch(
      /^error\[approval_stale\]: .*: module_specifications\nerror\[mode_mismatch\].*\nhint: .*enter \{mode: "Ω₂ᴬ", ctx: "slugify"\}/u,
    );
    expect(await approved(seat)).toEqual({ design: false, plan: false, tdd: false });
    expect(await seat.refused("enter", { mode: "Ω₃ᴾ" })).toMatch(/^error\[design_not_approved\]/u);
    const at = (await seat.call("enter", { mode: "Ω₂ᴬ", ctx: "slugify" })) as DispatchStep;
    expect([at.line, at.prompt.includes("Of the first two words only.")]).toEqual(["Ω₂ᴬ[CTX:slugify]", true]);
    const next = await playOn({ seat, cassette, before: async ({ mode }) => mode === "Ω₃ᴾ" });
    expect(lineOf(next)).toMatch(/^Ω₃ᴾ\[SPLAN_\w+,R0\]$/u);
    const audits = dispatchLines(await seat.events()).filter((line) => line.startsWith("Ω₂ᴬ"));
    const first = ["slugify", "initials"].map((name) => `Ω₂ᴬ[CTX:${name}]`);
    expect(audits).toEqual([...first, ...first, "Ω₂ᴬ[CTX:acronym]"]);
    expect((await approved(seat)).design).toBe(true);
    expect(await readFile(file(seat.world), "utf8")).toMatch(/## Notes\n\nMine\.\n$/u);
  },
);

verifiesInCi("TDP-61", "the verdict of the plan's critic on another design is void", async () => {
  await playOn({ seat, cassette, before: async ({ mode }) => mode === "Ω₄ᶜ" });
  await edit(seat.world, "no dependency", "one dependency");
  const said = { status: "PA", message: "good" };
  expect(await seat.refused("report", said)).toMatch(/^error\[approval_stale\]: .*: tech_stack\n/u);
  expect(await approved(seat)).toEqual({ design: false, plan: false, tdd: false });
  expect(lineOf(await seat.call("next"))).toBe("Ω₂ᴬ[CTX:slugify]");
});

verifiesInCi("TDP-61", "an accepted plan lapses with its design until a cycle has started", async () => {
  const again = { ...cassette, roles: { ...cassette.roles, planner: (await oneCycle()).roles.planner } };
  let at: NextStep = await playOn({ seat, cassette: again, before: async ({ mode }) => mode === "Ω₄ᶜ" });
  await seat.call("report", { status: "PA" });
  expect(await approved(seat)).toEqual({ design: true, plan: true, tdd: true });
  await edit(seat.world, "one dependency", "no dependency");
  expect(await seat.refused("enter", { mode: "Ω₅" })).toMatch(/^error\[approval_stale\]: .*: tech_stack\n/u);
  expect(await approved(seat)).toEqual({ design: false, plan: false, tdd: false });
  at = (await seat.call("enter", { mode: "Ω₂ᴬ", ctx: "slugify" })) as NextStep;
  expect(lineOf(at)).toBe("Ω₂ᴬ[CTX:slugify]");
  const fresh = { ...cassette, roles: { ...cassette.roles, planner: (await oneCycle()).roles.planner } };
  at = await playOn({ seat, cassette: fresh, before: async ({ mode }) => mode === "Ω₅ᵀ" });
  expect(lineOf(at)).toMatch(/^QA\[STDD_\w+_C1,R0,C1,P:ℜ\]$/u);
  await edit(seat.world, "no dependency", "one dependency");
  expect(lineOf(await seat.call("enter", { mode: "Ω₅" }))).toBe(lineOf(at));
});

verifiesInCi("TDP-61", "a new plan is audited before its cycles begin", async () => {
  const { session } = await newest(seat.world);
  await settleUntil({ session }, async ({ state }) => state === "review");
  for (const outcome of ["NEEDS_CHANGE", "revise"])
    await session.settle(session.state.open.find(({ type }) => type !== "spawn")?.key ?? "", { outcome });
  const other = { ...cassette, roles: { ...cassette.roles, planner: (await oneCycle()).roles.planner } };
  const planned = other.roles.planner[0]?.report?.payload as { cycles: { task: string }[] };
  for (const cycle of planned.cycles) cycle.task = "Another task.";
  expect(await approved(seat)).toMatchObject({ design: true, plan: false });
  await playOn({ seat, cassette: other, before: async ({ mode }) => mode === "Ω₄ᶜ" });
  expect(await seat.refused("enter", { mode: "Ω₅" })).toMatch(
    /^error\[approval_stale\]: the plan has changed.*\nerror\[mode_mismatch\].*\nhint: .*enter \{mode: "Ω₄ᶜ"\}/u,
  );
  expect((await approved(seat)).plan).toBe(false);
  expect(lineOf(await seat.call("enter", { mode: "Ω₄ᶜ" }))).toMatch(/^Ω₄ᶜ\[SPLAN_\w+,R0\]$/u);
  await seat.call("report", { status: "PA" });
  expect((await approved(seat)).plan).toBe(true);
});

verifiesInCi("TDP-61", "the driver audits a person's change before it starts the planner", async () => {
  const world = await createCyclesWorld();

  const own = await oneCycle();
  own.roles.planner = [
    { expects: ["Of the first two words only."], report: { status: "EN", message: "enough" } },
  ];
  const run = await world.start(own as never, { protocol: "riper" });
  const until = { stop: new AbortController() };
  const { session } = await openRun(world.host, { run });
  const timer = setInterval(() => void session.refresh(), 20);
  session.listen((events) => {
    const isDesigned = events.some((event) => event.type === "document.written" && event.name === "σ₂");
    if (isDesigned) until.stop.abort();
  });
  await world.drive(run, undefined, until.stop.signal);
  clearInterval(timer);
  await session.refresh();
  while (session.state.frames["main"]?.token.mode !== "Ω₃ᴾ") {
    const [open] = session.state.open.filter(({ type }) => type === "dispatch");
    await session.settle(open?.key ?? "", { outcome: "ACCEPT" });
  }
  await edit(world, "### initials", "### initials\n\nOf the first two words only.\n\n");
  const { events } = await world.drive(run, async () => null);
  const audits = ["Λ₁", "Λ₂:slugify", "Λ₂:initials"].map((ctx) => `Ω₂ᴬ[CTX:${ctx}]`);
  const plans = ["Ω₃ᴾ[S{sid},R0]", "Ω₃ᴾ[S{sid},R0]"];
  expect(dispatchLines(events)).toEqual(["Ω₁ᴾ[]", ...audits, plans[0], ...audits, plans[1]]);
});
