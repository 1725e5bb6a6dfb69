// @module-tag ci
/** One run against PostgreSQL, command by command, and what another host sees of it (SCL-01). */
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { stringify } from "yaml";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { storeVariable } from "../../src/config/env.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { readMemory } from "../../src/overview/read-memory.ts";
import { listRuns } from "../../src/ui/runs.ts";
import { openStores } from "../../src/ui/stores/opened.ts";
import { verifies } from "../verifies.ts";
import { golden, untestedFiles, type CliResult } from "../orchestrate/world.ts";
import { newFolder } from "../support/folder.ts";
import { hasPostgres, startPostgres, type PostgresServer } from "../support/postgres.ts";
import { cloneOf, sharedHost, sharedRepository, type SharedHost } from "./world.ts";

describe.skipIf(!hasPostgres)("a run in a shared store", () => {
  let server: PostgresServer;
  let url = "";
  let here: SharedHost;
  let there: SharedHost;
  let run = "";
  const called: Record<string, CliResult> = {};
  const seen: Record<string, CliResult> = {};
  /** Where programs print their environment. */
  const printed = newFolder();
  const spied = ["agent", "test", "notice", "filter"];
  const into = (who: string) => join(printed, who);

  beforeAll(async () => {
    server = await startPostgres();
    url = server.newDatabase();
    const kill = join(printed, "kill");
    const repository = await sharedRepository(
      {
        ...(await untestedFiles()),
        "test/env.test.js": `import { test } from "node:test";
import { writeFileSync } from "node:fs";
test("has an environment", () => writeFileSync(${JSON.stringify(into("test"))}, JSON.stringify(process.env)));
`,
        ".gitattributes": "README.md filter=spy\n",
      },
      `notify: { command: "env >> ${into("notice")}; test ! -e ${kill} || { rm ${kill}; kill -9 $PPID; }" }\n`,
    );
    const spy = `sh -c 'env >> ${into("filter")}; cat'`;
    await repository.git("config", "filter.spy.smudge", spy);
    await repository.git("config", "filter.spy.clean", spy);
    mkdirSync(join(repository.dir, ".git/hooks"), { recursive: true });
    for (const name of ["post-checkout", "reference-transaction", "post-commit"]) {
      const hook = join(repository.dir, ".git/hooks", name);
      writeFileSync(hook, `#!/bin/sh\nenv >> ${into("hook")}\n`, { mode: 0o755 });
    }
    here = sharedHost(repository.dir, url);
    there = sharedHost(await cloneOf(repository), url);

    const cassette = await golden();
    const password = new URL(url).password;
    cassette.roles.intake[0]?.does?.push({ shell: `env > ${into("agent")}` }, { say: `I know ${password}` });
    const file = join(printed, "cassette.yaml");
    writeFileSync(file, stringify(cassette));

    const call = async (name: string, args: readonly string[]) => (called[name] = await here.cli(args));
    await call("run", ["run", "Add slugify(text)", "--agent", `default=scripted:${file}`, "--json"]);
    run = String(called["run"]?.json()["run"]);
    const answers = ["Q1", "Q2", "Q3", "Q4", "Q5"].map((id) => `${id}=yes`);
    seen["answer"] = await there.cli(["answer", run, ...answers]);
    seen["waiting"] = await there.cli(["status", run, "--json"]);
    seen["resume"] = await there.cli(["resume", run]);
    await call("plan", ["resume", run, "--json"]);
    seen["approve"] = await there.cli(["approve", run]);
    writeFileSync(kill, "");
    await call("killed", ["resume", run, "--json"]);
    await call("resume", ["resume", run, "--json"]);
    await call("approve", ["approve", run, "--json"]);
    for (const name of ["status", "show", "log", "verify", "watch"]) await call(name, [name, run, "--json"]);
    for (const name of ["verify", "land"]) seen[name] = await there.cli([name, run]);
    for (const name of ["status", "show", "log"]) seen[name] = await there.cli([name, run, "--json"]);
    await call("query", ["memory", "query", run, "OBS[*,*,*,*]", "--json"]);
    await call("land", ["land", run, "--json"]);
    await call("second", ["run", "Add slugify(text)", "--agent", `default=scripted:${file}`, "--json"]);
    const second = String(called["second"]?.json()["run"]);
    seen["abort"] = await there.cli(["abort", second, "--reason", "not needed"]);
    await call("aborted", ["status", second, "--json"]);
  }, 300_000);

  verifies("SCL-01", "goes from its questions over kill -9 to the end, and lands", () => {
    const codes = Object.entries(called).map(([name, { code, stderr }]) => [
      name,
      code,
      code > 3 ? stderr : "",
    ]);
    expect(codes).toEqual([
      ["run", 3, ""],
      ["plan", 3, ""],
      ["killed", -1, ""],
      ["resume", 3, ""],
      ["approve", 0, ""],
      ["status", 0, ""],
      ["show", 0, ""],
      ["log", 0, ""],
      ["verify", 0, ""],
      ["watch", 0, ""],
      ["query", 0, ""],
      ["land", 0, ""],
      ["second", 3, ""],
      ["aborted", 0, ""],
    ]);
  });

  test("is answered on any host, and goes on where its commits and its key are", () => {
    const host = `${hostname()} with another METTLE_HOME`;
    for (const name of ["answer", "approve"])
      expect([name, seen[name]?.code, seen[name]?.stdout]).toEqual([
        name,
        0,
        expect.stringContaining(`answered; \`mettle resume ${run}\` on ${host} continues it\n`),
      ]);
    expect([seen["abort"]?.code, called["aborted"]?.stdout]).toEqual([
      1,
      expect.stringContaining('"status":"halted"'),
    ]);
    for (const name of ["resume", "verify", "land"])
      expect([name, seen[name]?.code, seen[name]?.stderr]).toEqual([
        name,
        5,
        expect.stringContaining(`error[run_elsewhere]: run ${run} began on ${host}`),
      ]);
  });

  verifies("SCL-01", "is the same from another host", () => {
    expect(seen["waiting"]?.json()).toMatchObject({ runs: [{ run }] });
    for (const name of ["status", "show", "log"])
      expect([name, seen[name]?.code, seen[name]?.stdout]).toEqual([name, 0, called[name]?.stdout]);
  });

  verifies("SCL-01", "has one knowledge graph on both hosts", async () => {
    const file = join(printed, "graph.jsonl");
    const line = JSON.stringify({
      type: "entity",
      name: "shop",
      entityType: "project",
      observations: ["is shared"],
    });
    writeFileSync(file, `${line}\n`);
    expect((await here.cli(["memory", "import", file])).code).toBe(0);
    const exported = await there.cli(["memory", "export"]);
    expect([exported.code, exported.stdout]).toEqual([0, expect.stringContaining("is shared")]);
  });

  verifies("SCL-01", "is on the page of every host, with its memory", async () => {
    vi.stubEnv(storeVariable, url);
    const stores = openStores({ root: there.home, env: {}, clock: systemClock });
    try {
      const [repository] = stores.list();
      if (repository === undefined) throw new Error("the page has no repository");
      const rows = await listRuns(stores);
      expect(rows).toMatchObject([
        { fault: null, runs: [{ status: "halted" }, { run, status: "complete" }] },
      ]);
      const place = { folder: there.dir, home: repository.home, clock: systemClock };
      expect((await readMemory(place, "shop")).graph).toMatchObject({ entities: 1, found: 1 });
    } finally {
      await stores.close();
      vi.unstubAllEnvs();
    }
  });

  verifies("SCL-01", "writes no local store on either host", () => {
    for (const { home } of [here, there]) {
      const [id = "", ...more] = readdirSync(home).filter((name) => name.includes("-"));
      expect([more, existsSync(join(home, id, "store"))]).toEqual([[], true]);
      for (const name of ["mettle.db", "payloads"]) expect(existsSync(join(home, id, name))).toBe(false);
    }
  });

  verifies(
    "SCL-01",
    "shows the URL to no agent, no test, no command and no program of git, and stores it nowhere",
    () => {
      const password = new URL(url).password;
      for (const who of spied) {
        const text = readFileSync(into(who), "utf8");
        expect(text).toMatch(/PATH/u);
        expect([who, text.includes("METTLE_STORE_URL"), text.includes(password)]).toEqual([
          who,
          false,
          false,
        ]);
      }
      expect(existsSync(into("hook"))).toBe(false); // Mettle runs no hooks
      for (const folder of [here.home, there.home, here.dir])
        for (const file of readdirSync(folder, { recursive: true, withFileTypes: true })) {
          if (!file.isFile()) continue;
          const path = join(file.parentPath, file.name);
          expect([path, readFileSync(path, "latin1").includes(password)]).toEqual([path, false]);
        }
      const stored = `SELECT (SELECT count(*) FROM mettle.events WHERE data LIKE '%${password}%')
      + (SELECT count(*) FROM mettle.payloads WHERE position('${password}'::bytea IN bytes) > 0)`;
      expect(server.psql(url, stored)).toBe("0");
      for (const { stdout, stderr } of Object.values(called)) expect(stdout + stderr).not.toContain(password);
    },
  );

  test("is in the report of doctor, and so is what is wrong with the store", async () => {
    const lineOf = async (given: string | null) => {
      const { checks } = (await there.cli(["doctor", "--json"], given)).json() as {
        checks: { name: string }[];
      };
      return checks.filter(({ name }) => name === "store");
    };
    const { port, pathname } = new URL(url);
    expect(await lineOf(url)).toEqual([
      {
        name: "store",
        state: "ok",
        seen: expect.stringMatching(
          new RegExp(
            `^PostgreSQL [\\d.]+ .*at 127.0.0.1:${port}${pathname}, this repository is acme/shop$`,
            "u",
          ),
        ),
        help: null,
      },
    ]);
    expect(await lineOf(null)).toMatchObject([
      { state: "fail", help: expect.stringContaining("METTLE_STORE_URL") },
    ]);
  }, 60_000);

  test("stays in the store when a host removes what it has", async () => {
    const cleaned = await here.cli(["clean", "--all", "--yes"]);
    expect([cleaned.code, cleaned.stdout]).toEqual([
      0,
      expect.stringContaining("stays, in the shared store: the runs of acme/shop\n"),
    ]);
    expect(existsSync(here.home)).toBe(false);
    const { code, stdout } = await here.cli(["status", run, "--json"]);
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { runs: [{ run }] }]);
  });

  verifies(
    "SCL-01",
    "is refused where the store cannot be used or is another one, each time with a code and a hint",
    async () => {
      const wrong = new URL(url);
      wrong.password = "wrong";
      const gone = new URL(url);
      gone.port = "1";
      for (const [given, code] of [
        [null, "store_url_missing"],
        [wrong.href, "store_unreachable"],
        [gone.href, "store_unreachable"],
        ["mysql://db/runs", "config_invalid"],
      ] as const) {
        const { code: exit, stderr } = await there.cli(["status"], given);
        expect([exit, stderr]).toEqual([
          code === "config_invalid" ? 2 : 5,
          expect.stringMatching(new RegExp(`^error\\[${code}\\]: .+\\nhint: .+\\n$`, "u")),
        ]);
      }
      writeFileSync(join(there.dir, "mettle.yaml"), "version: 1\n");
      const other = await there.cli(["run", "Add slugify(text)"]);
      expect([other.code, other.stderr]).toEqual([2, expect.stringContaining("error[store_mismatch]")]);
      const doctor = await there.cli(["doctor"]);
      expect([doctor.code, doctor.stdout]).toEqual([
        5,
        expect.stringContaining("mettle.yaml says store: local"),
      ]);
      expect((await there.cli(["status", run])).code).toBe(0);
    },
    60_000,
  );
});
