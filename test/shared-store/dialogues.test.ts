// @module-tag ci
/** A run of dptr keeps its dialogues in the shared store, where every host reads them (SCL-01). */
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect } from "vitest";
import { packageRoot } from "../../src/config/package-root.ts";
import { hasPostgres, startPostgres } from "../support/postgres.ts";
import { verifies } from "../verifies.ts";
import { cloneOf, sharedHost, sharedRepository, type SharedHost } from "./world.ts";

const demo = packageRoot("protocols/dptr/demo");

describe.skipIf(!hasPostgres)("a run of dptr in a shared store", () => {
  let there: SharedHost;
  let run = "";
  const codes: number[] = [];

  beforeAll(async () => {
    const url = (await startPostgres()).newDatabase();
    const folder = join(demo, "repository");
    const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) =>
      file.isFile(),
    );
    const paths = names.map(({ parentPath, name }) => join(parentPath, name));
    const files = paths.map((path) => [path.slice(folder.length + 1), readFileSync(path, "utf8")]);
    const repository = await sharedRepository(Object.fromEntries(files));
    const here = sharedHost(repository.dir, url);
    there = sharedHost(await cloneOf(repository), url);
    const agent = `default=scripted:${join(demo, "honest.yaml")}`;
    const args = [
      "run",
      "Add slugify(text) and initials(text)",
      "--protocol",
      "dptr",
      "--agent",
      agent,
      "--json",
    ];
    const started = await here.cli(args);
    run = String(started.json()["run"]);
    codes.push(started.code);
    while (codes.at(-1) === 3 && codes.length < 6) codes.push((await here.cli(["approve", run])).code);
  }, 240_000);

  verifies("SCL-01", "ends, and another host reads its dialogues", async () => {
    expect(codes.at(-1)).toBe(0);
    const { code, stdout } = await there.cli(["memory", "query", run, "OBS[*,*,*,*]", "--json"]);
    const { sessions, observations } = JSON.parse(stdout) as { sessions: string[]; observations: unknown[] };
    expect([code, sessions.filter((name) => /^PLAN_|^TDD_/u.test(name)).length]).toEqual([0, 3]);
    expect(observations.length).toBeGreaterThan(5);
  });
});
