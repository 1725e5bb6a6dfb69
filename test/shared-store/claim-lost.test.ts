// @module-tag ci
/** A run whose claim another process takes: its agents end, and nothing more is written (SCL-05). */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { expect, test } from "vitest";
import { isAlive } from "../../src/config/owner.ts";
import { golden, untestedFiles } from "../orchestrate/world.ts";
import { newFolder } from "../support/folder.ts";
import { hasPostgres, startPostgres } from "../support/postgres.ts";
import { cloneOf, sharedHost, sharedRepository } from "./world.ts";

test.skipIf(!hasPostgres)("`mettle run` ends its agent and exits 5 when its claim is taken", async () => {
  const server = await startPostgres();
  const url = server.newDatabase();
  const repository = await sharedRepository(await untestedFiles());
  const here = sharedHost(repository.dir, url);
  const folder = newFolder();
  const pidFile = join(folder, "pid");
  const cassette = await golden();
  cassette.roles.intake[0]?.does?.push({ shell: `echo $$ > ${pidFile}; exec sleep 600` });
  const file = join(folder, "cassette.yaml");
  writeFileSync(file, stringify(cassette));

  const ran = here.cli(["run", "Add slugify(text)", "--agent", `default=scripted:${file}`]);
  const pidOf = () => (existsSync(pidFile) ? readFileSync(pidFile, "utf8").trim() : "");
  await expect.poll(pidOf, { timeout: 60_000 }).not.toBe("");
  const agent = { pid: Number(pidOf()), started: "" };
  expect(isAlive(agent)).toBe(true);
  server.psql(
    url,
    "UPDATE mettle.claims SET token = 'another', epoch = epoch + 1 WHERE run <> 'folder-choice'",
  );
  const count = () => server.psql(url, "SELECT count(*) FROM mettle.events");
  const before = count();
  const begin = performance.now();
  const { code, stdout, stderr } = await ran;

  expect([code, stderr]).toEqual([
    5,
    expect.stringMatching(
      /^error\[claim_lost\]: another process took run (\S+) over\nhint: `mettle watch \1` /mu,
    ),
  ]);
  expect([stdout.includes("waits"), performance.now() - begin < 10_000]).toEqual([false, true]);
  expect(isAlive(agent)).toBe(false);
  expect(count()).toBe(before);

  // A host that may not go on with it does not even try to claim it.
  const there = sharedHost(await cloneOf(repository), url);
  const [, run = ""] = /took run (\S+) over/u.exec(stderr) ?? [];
  expect((await there.cli(["resume", run])).stderr).toContain("error[run_elsewhere]");
  const claim = "SELECT token, epoch FROM mettle.claims WHERE run <> 'folder-choice'";
  expect(server.psql(url, claim)).toBe("another|2");
});
