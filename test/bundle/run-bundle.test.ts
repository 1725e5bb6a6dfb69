// @module-tag ci
/** The bundle of a whole run is verified and replayed in a bare clone (PRV-14). Riper's last refactoring changes nothing. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { emptyPlace } from "../cli/empty-place.ts";

test.each(["orchestrate", "riper"])(
  "the bundle of a run of %s is verified and replayed where only its commits are",
  async (protocol) => {
    const place = await emptyPlace();
    const off = { METTLE_SANDBOX: "off", METTLE_MUTATION_BUDGET: "0" };
    const demo = await place.call(["demo", "--protocol", protocol, "--keep"], { env: off });
    const [, cwd = "", home = ""] = /cd (\S+) && export METTLE_HOME=(\S+)/.exec(demo.stdout) ?? [];
    const here = { cwd, env: { ...off, METTLE_HOME: home } };
    const status = await place.call(["status", "--json"], here);
    const run = (JSON.parse(status.stdout) as { runs: { run: string }[] }).runs.at(-1)?.run ?? "";
    const [bundle, clone] = [join(place.folder, "run.bundle"), join(place.folder, "clone.git")];
    expect((await place.call(["verify", run, "--bundle-out", bundle], here)).code).toBe(0);
    spawnSync("git", ["clone", "--quiet", "--bare", cwd, clone]);
    const there = { cwd: clone, env: { ...off, METTLE_HOME: join(place.folder, "other") } };
    const replayed = await place.call(["verify", "--bundle", bundle, "--replay", "--json"], there);
    expect(JSON.parse(replayed.stdout)).toMatchObject({ verdict: "pass", made: "run" });
  },
);
