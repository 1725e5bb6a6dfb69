/**
 * The answers of all commands match the published schemas.
 * @module-tag ci
 */
import { readFileSync } from "node:fs";
import { beforeAll, expect } from "vitest";
import * as z from "zod";
import { envoy } from "../../src/envoy/envoy.ts";
import { commands } from "../../src/envoy/table.ts";
import { callHere } from "../cli/here.ts";
import { verifies } from "../verifies.ts";
import { createPlanWorld, type Json, type PlanWorld } from "./plan-world.ts";
import { allCommands } from "./all-commands.ts";

type Schema = Parameters<typeof z.fromJSONSchema>[0];
const published = JSON.parse(readFileSync("docs/envoy.schema.json", "utf8")) as {
  readonly success: Schema;
  readonly error: Schema;
  readonly commands: Readonly<Record<string, Schema>>;
};
const success = z.fromJSONSchema(published.success);
const failure = z.fromJSONSchema(published.error);
const names = commands.map(({ name }) => name);

let world: PlanWorld;
beforeAll(async () => void (world = await createPlanWorld()));

verifies(
  ["ENV-27", "ENV-17"],
  "every command prints one object that matches the published schema, and errors on stderr too",
  async () => {
    expect(Object.keys(published.commands).toSorted()).toEqual(names.toSorted());
    const called = new Set<string>();
    const first = new Map<string, Json>();
    for (const step of allCommands(world)) {
      if (typeof step === "function") {
        await step();
        continue;
      }
      const [name, ...words] = step;
      const data = await world.ok([...name.split(" "), ...words]);
      expect(success.safeParse({ version: 1, status: "success", data }).error).toBeUndefined();
      const schema = published.commands[name] ?? {};
      expect([step, z.fromJSONSchema(schema).safeParse(data).error]).toEqual([step, undefined]);
      called.add(name);
      if (!first.has(name)) first.set(name, data);
    }
    expect([...called].toSorted()).toEqual(names.toSorted());
    // Empty values are not omitted.
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
