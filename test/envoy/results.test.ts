/** What every command prints, held to the published schemas. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, vi } from "vitest";
import { z } from "zod";
import { envoy } from "../../src/envoy/envoy.ts";
import { commands } from "../../src/envoy/table.ts";
import { callHere } from "../cli/here.ts";
import { verifies } from "../verifies.ts";
import { createPlanWorld, type Json, type PlanWorld } from "./plan-world.ts";
import { storyOf } from "./story.ts";

type Schema = Parameters<typeof z.fromJSONSchema>[0];
const published = JSON.parse(readFileSync("docs/envoy.schema.json", "utf8")) as {
  readonly success: Schema;
  readonly error: Schema;
  readonly commands: Readonly<Record<string, Schema>>;
};
const success = z.fromJSONSchema(published.success);
const failure = z.fromJSONSchema(published.error);
const names = commands.map(({ name }) => name);

// Dozens of git calls in each, on machines that have other work.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let world: PlanWorld;
beforeAll(async () => {
  world = await createPlanWorld();
});
afterAll(() => world.remove());

verifies(
  ["ENV-27", "ENV-17"],
  "every command prints one object of the published shape, and an error on stderr too",
  async () => {
    expect(Object.keys(published.commands).toSorted()).toEqual(names.toSorted());
    const told = new Set<string>();
    const first = new Map<string, Json>();
    for (const step of storyOf(world)) {
      if (typeof step === "function") {
        await step();
        continue;
      }
      const [name, ...words] = step;
      const data = await world.ok([...name.split(" "), ...words]);
      expect(success.safeParse({ version: 1, status: "success", data }).error).toBeUndefined();
      const schema = published.commands[name] ?? {};
      expect([step, z.fromJSONSchema(schema).safeParse(data).error]).toEqual([step, undefined]);
      told.add(name);
      if (!first.has(name)) first.set(name, data);
    }
    expect([...told].toSorted()).toEqual(names.toSorted());
    // Nothing is left out because it is empty.
    expect(first.get("plan cleanup-debug-logs")).toMatchObject({ files_modified: [], markers_removed: 0 });
    expect(first.get("knowledge search")).toHaveProperty("results");
    expect(first.get("plan read-prompt")).not.toHaveProperty("pending_refinement");
    for (const name of names)
      for (const more of [["--nothing"], ["a", "b", "c", "d"]]) {
        const at = { cwd: world.repository.dir, env: world.env };
        const { code, stdout, stderr } = await callHere([...name.split(" "), ...more], at, envoy);
        expect([name, code, stdout.indexOf("\n")]).toEqual([name, 2, stdout.length - 1]);
        const object = JSON.parse(stdout) as { error: { type: string; message: string; command: string } };
        expect(failure.safeParse(object).error).toBeUndefined();
        expect(object.error.command).toBe(name);
        expect(stderr).toContain(`error[${object.error.type}]: ${object.error.message}\n`);
      }
  },
);
