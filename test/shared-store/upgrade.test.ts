// @module-tag ci
/** A worker of this version and one of a newer version with newer tables, on one store (SCL-10). */
import { cpSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { packageRoot } from "../../src/config/package-root.ts";
import { storeVariable } from "../../src/config/env.ts";
import { runAsPerson } from "../support/as-person.ts";
import { newFolder } from "../support/folder.ts";
import { hasPostgres, startPostgres, type PostgresServer } from "../support/postgres.ts";
import { golden, untestedFiles } from "../orchestrate/world.ts";
import { verifies } from "../verifies.ts";
import {
  agentOf,
  answers,
  detach,
  startWorker,
  untilLog,
  untilSaid,
  workersOrigin,
  type Worker,
} from "./workers.ts";
import { cloneOf, sharedHost } from "./world.ts";

/** A copy of this build with another version and one more migration. @returns its program */
function newerBuild(): string {
  const folder = newFolder();
  for (const name of ["protocols", "node_modules", "package.json"])
    symlinkSync(packageRoot(name), join(folder, name));
  cpSync(packageRoot("dist"), join(folder, "dist"), { recursive: true });
  const bin = join(folder, "dist/bin");
  const { version } = JSON.parse(readFileSync(packageRoot("package.json"), "utf8")) as { version: string };
  let changed = 0;
  for (const file of readdirSync(bin).filter((name) => /\.c?js$/u.test(name))) {
    const text = readFileSync(join(bin, file), "utf8");
    const tables = text.indexOf("CREATE TABLE mettle.runs (");
    const end = text.indexOf("`]", tables);
    const migrated =
      tables === -1
        ? text
        : `${text.slice(0, end + 1)},"ALTER TABLE mettle.runs ADD COLUMN newer INTEGER"${text.slice(end + 1)}`;
    if (migrated !== text) changed += 1;
    writeFileSync(join(bin, file), migrated.replaceAll(`"${version}"`, '"99.0.0"'));
  }
  expect(changed).toBeGreaterThan(0);
  return join(bin, "mettle.js");
}

describe.skipIf(!hasPostgres)("an upgrade of workers one by one", () => {
  let server: PostgresServer;
  const workers: Worker[] = [];

  beforeAll(async () => {
    server = await startPostgres();
  }, 60_000);
  afterAll(() => Promise.all(workers.map((worker) => worker.end("SIGKILL"))));

  verifies(
    "SCL-10",
    "a worker that meets the tables of a newer Mettle hands the run back as it is, and a newer one goes on",
    async () => {
      const url = server.newDatabase();
      const here = sharedHost(await cloneOf(await workersOrigin(await untestedFiles())), url);
      const older = await startWorker(url, [], { by: here });
      workers.push(older);
      const run = await detach(here, await agentOf(await golden()));
      await untilLog(here, run, "5 questions asked");
      await untilSaid(older, `done run ${run}`);

      const program = newerBuild();
      const newer = async (...args: readonly string[]) => {
        const env = {
          PATH: process.env["PATH"] ?? "",
          HOME: newFolder(),
          METTLE_HOME: here.home,
          METTLE_SANDBOX: "off",
          [storeVariable]: url,
        };
        const ran = await runAsPerson(process.execPath, [program, ...args], {
          cwd: here.dir,
          env,
          timeoutMs: 60_000,
        });
        return { code: ran.exitCode, text: `${ran.stdout.toString("utf8")}${ran.stderr.toString("utf8")}` };
      };
      const key = await newFolderKey(program);
      expect((await here.cli(["keys", "enrol", "newer", "-"], undefined, key.pem)).code).toBe(0);
      // The first command of the new version migrates; the old one refuses the store from then on.
      const before = await newer("log", run);
      expect(before.code).toBe(0);
      const refused = await here.cli(["status"]);
      expect([refused.code, refused.stderr]).toEqual([5, expect.stringContaining("error[journal_newer]")]);

      expect((await newer("answer", run, ...answers)).text).toContain(
        `run ${run} goes on without this command`,
      );
      await untilSaid(older, `failed run ${run}: journal_newer`);
      const newest = await startWorker(url, [], { program, env: key.env });
      workers.push(newest);
      expect(await older.end("SIGTERM")).toBe(0);
      await untilSaid(newest, `done run ${run}`);
      const { code, text } = await newer("log", run);
      expect([code, text]).toEqual([0, expect.stringContaining("waits for a person: Approve the plan")]);
      expect(text.startsWith(before.text.trimEnd())).toBe(true);
      expect(text).not.toContain("journal_newer");
      expect((await newer("doctor", "--store")).text).toContain(`${newest.name} (99.0.0)`);
    },
    150_000,
  );
});

/** A home for a worker, and the key that it has there. */
async function newFolderKey(program: string) {
  const env = { METTLE_HOME: newFolder(), HOME: newFolder() };
  const ran = await runAsPerson(process.execPath, [program, "worker", "--key"], {
    cwd: env.HOME,
    env: { PATH: process.env["PATH"] ?? "", ...env, [storeVariable]: "postgres://nobody@127.0.0.1:1/none" },
    timeoutMs: 30_000,
  });
  return { env, pem: ran.stdout.toString("utf8") };
}
