// @module-tag ci
/** The commands of docs/operate.md, one after the other, with the services of deploy/compose.yaml as processes (SCL-10). */
import { chmodSync, readFileSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { packageRoot } from "../../src/config/package-root.ts";
import { storeVariable } from "../../src/config/env.ts";
import { runAsPerson } from "../support/as-person.ts";
import { newFolder } from "../support/folder.ts";
import { hasPostgres, startPostgres, type PostgresServer } from "../support/postgres.ts";
import { golden, untestedFiles } from "../orchestrate/world.ts";
import { verifies } from "../verifies.ts";
import { agentOf, untilLog, untilStatus, workersOrigin } from "./workers.ts";
import { cloneOf, sharedHost, type SharedHost } from "./world.ts";

/** The commands of each block. */
const blocks = [...readFileSync("docs/operate.md", "utf8").matchAll(/^```bash\n([\s\S]*?)^```/gmu)].map(
  ([, commands = ""]) => commands,
);

describe.skipIf(!hasPostgres)("docs/operate.md", () => {
  let server: PostgresServer;
  let here: SharedHost;
  let env: Record<string, string> = {};
  const place = newFolder();

  beforeAll(async () => {
    server = await startPostgres();
    server.psql(server.url, "CREATE DATABASE mettle");
    const url = server.url.replace(/postgres$/u, "mettle");
    const agent = await agentOf(await golden());
    const origin = await workersOrigin(await untestedFiles(), `agents: { default: "${agent}" }\n`);
    const bin = newFolder();
    symlinkSync(packageRoot("dist/bin/mettle.cjs"), join(bin, "mettle"));
    chmodSync("test/shared-store/compose-processes.mjs", 0o755);
    symlinkSync(packageRoot("test/shared-store/compose-processes.mjs"), join(bin, "docker"));
    const [programs = ""] = readdirSync("/usr/lib/postgresql")
      .toSorted((one, other) => Number(other) - Number(one))
      .map((version) => join("/usr/lib/postgresql", version, "bin"));
    const path = `${bin}:${process.env["PATH"] ?? ""}`;
    here = sharedHost(await cloneOf(origin), url, { PATH: path });
    env = {
      PATH: path,
      HOME: newFolder(),
      METTLE_HOME: here.home,
      METTLE_SANDBOX: "off",
      METTLE_MUTATION_BUDGET: "0",
      METTLE_DB_PASSWORD: new URL(url).password,
      COMPOSE_FILE: packageRoot("deploy/compose.yaml"),
      PLACE: place,
      PROGRAMS: programs,
      SERVER: `127.0.0.1:${server.port}`,
      [storeVariable]: url,
    };
  }, 60_000);
  afterAll(() => sh("docker compose kill worker-1 worker-2 metrics"));

  const sh = async (commands: string) => {
    const ran = await runAsPerson("bash", ["-e", "-c", commands], {
      cwd: here.dir,
      env,
      input: "",
      timeoutMs: 120_000,
    });
    const output = `${ran.stdout.toString("utf8")}${ran.stderr.toString("utf8")}`;
    const workers = readdirSync(place).filter((name) => name.endsWith(".out"));
    const printed = workers.map((name) => `${name}: ${readFileSync(join(place, name), "utf8")}`).join("\n");
    expect(ran.exitCode, `${commands}\n${output}\n${printed}`).toBe(0);
    return output;
  };

  verifies(
    "SCL-10",
    "the commands lead from nothing to two workers, through the death of one, and back from a backup",
    async () => {
      const [begin = "", run = "", backUp = "", restore = "", ...more] = blocks;
      expect(more).toEqual([]);
      expect(await sh(begin)).toContain("A worker has all it needs.");
      const started = await sh(run);
      expect(started).toContain("A worker has all it needs.");
      const { runs } = (await here.cli(["status", "--json"])).json() as { runs: readonly { run: string }[] };
      const [{ run: only } = { run: "" }] = runs;
      await untilLog(here, only, "5 questions asked");
      await untilStatus(here, only, "waiting");
      await sh(backUp);
      expect((await here.cli(["abort", only, "--reason", "after the backup"])).code).toBe(1);
      expect(await sh(restore)).toContain(only);
      await untilStatus(here, only, "waiting");
    },
    200_000,
  );
});
