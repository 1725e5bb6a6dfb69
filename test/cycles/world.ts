/** The world of test/orchestrate for whole runs of riper and dptr: the demo's project and a changeable cassette. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { packageRoot } from "../../src/config/package-root.ts";
import type { Recorded } from "../../src/log/run-event.ts";
import type { StartOptions } from "../../src/family/start-options.ts";
import {
  answerNone,
  createWorld,
  eventsOf,
  type Answer,
  type CassetteFile,
  type DriveResult,
  type TurnFile,
  type World,
} from "../orchestrate/world.ts";

export type CyclesCassette = Omit<CassetteFile, "roles"> & { roles: Record<Role, TurnFile[]> };
export type Role = "designer" | "arch_critic" | "planner" | "plan_critic" | "qa" | "de" | "reviewer";

const demo = packageRoot("protocols/dptr/demo");

/** Two cycles; in the first a review requests one change. A copy: change it as the test needs. */
export async function twoCycles(): Promise<CyclesCassette> {
  return parse(await readFile(join(demo, "honest.yaml"), "utf8")) as CyclesCassette;
}

/** There is nothing to improve, so the gates of a refactoring have little to execute. */
export const unchanged = {
  qa: { report: { status: "RTC", message: "nothing to be made better" } },
  de: { report: { status: "RIC", message: "nothing to be made better" } },
} as const satisfies Partial<Record<Role, TurnFile>>;

/** One cycle of `slugify()` that agrees at once: the shortest whole run. */
export async function oneCycle(): Promise<CyclesCassette> {
  const cassette = await twoCycles();
  const { planner, qa, de } = cassette.roles;
  const plan = planner[0]?.report?.payload as { cycles: unknown[] };
  plan.cycles = plan.cycles.slice(0, 1);
  const approved = { report: { status: "APPROVED", message: "good" } };
  cassette.roles.qa = [...qa.slice(0, 1), unchanged.qa, approved];
  cassette.roles.de = [...de.slice(0, 1), unchanged.de, approved];
  return cassette;
}

/** The demo's project without its test, as in `untestedFiles`. */
export async function createCyclesWorld(
  files?: Readonly<Record<string, string>>,
  env?: Readonly<Record<string, string>>,
): Promise<World> {
  const names = ["package.json", "README.md", "src/words.js"];
  const texts = await Promise.all(names.map((name) => readFile(join(demo, "repository", name), "utf8")));
  const own = Object.fromEntries(names.map((name, index) => [name, texts[index] ?? ""]));
  return createWorld({ ...own, ...files }, env);
}

/** Starts and drives; only the test answers. */
export function goCycles(
  world: World,
  protocol: "riper" | "dptr",
  cassette: CyclesCassette,
  options: { readonly answer?: Answer; readonly start?: Partial<StartOptions> } = {},
): Promise<DriveResult> {
  const { answer = answerNone, start = {} } = options;
  return world.go(cassette as unknown as CassetteFile, answer, {
    protocol,
    task: "Add slugify(text)",
    ...start,
  });
}

/** The dispatches of a run in the seeds' wire form, with `{sid}` for each session's name. */
export function dispatchLines(events: readonly Recorded[]): readonly string[] {
  return eventsOf(events, "command.issued").flatMap(({ line }) =>
    line === undefined ? [] : [withoutSessionName(line)],
  );
}

/** The observations, as `R0 MT: text`. */
export function observations(events: readonly Recorded[]): readonly string[] {
  return eventsOf(events, "observed").map(({ round, agent, excerpt }) => `R${round} ${agent}: ${excerpt}`);
}

/** A dispatch line with `{sid}` for its session's name. */
export function withoutSessionName(line: string): string {
  return line.replace(/(PLAN|TDD)_\d{8}T\d{9}Z(_C\d+)?/gu, "{sid}");
}
