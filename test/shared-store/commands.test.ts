// @module-tag ci
/** One run against PostgreSQL, command by command, and what another host sees of it (SCL-01). */
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { beforeAll, describe, expect, test } from "vitest";
import { golden, type CliResult } from "../orchestrate/world.ts";
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
    await call("answer", [
      "answer",
      run,
      ...["Q1", "Q2", "Q3", "Q4", "Q5"].map((id) => `${id}=yes`),
      "--json",
    ]);
    seen["waiting"] = await there.cli(["status", run, "--json"]);
    writeFileSync(kill, "");
    await call("killed", ["approve", run, "--json"]);
    await call("resume", ["resume", run, "--json"]);
    await call("approve", ["approve", run, "--json"]);
    for (const name of ["status", "show", "log", "verify", "watch"]) await call(name, [name, run, "--json"]);
    for (const name of ["status", "show", "log"]) seen[name] = await there.cli([name, run, "--json"]);
    await call("query", ["memory", "query", run, "OBS[*,*,*,*]", "--json"]);
    await call("land", ["land", run, "--json"]);
  }, 300_000);

  test("goes from its questions over kill -9 to the end, and lands", () => {
    const codes = Object.entries(called).map(([name, { code, stderr }]) => [
      name,
      code,
      code > 3 ? stderr : "",
    ]);
    expect(codes).toEqual([
      ["run", 3, ""],
      ["answer", 3, ""],
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
    ]);
  });

  test("is the same from another host", () => {
    expect(seen["waiting"]?.json()).toMatchObject({ runs: [{ run }] });
    for (const name of ["status", "show", "log"])
      expect([name, seen[name]?.code, seen[name]?.stdout]).toEqual([name, 0, called[name]?.stdout]);
  });

  test("writes no local store on either host", () => {
    for (const { home } of [here, there]) {
      const [id = "", ...more] = readdirSync(home).filter((name) => name.includes("-"));
      expect([more, existsSync(join(home, id, "store"))]).toEqual([[], true]);
      for (const name of ["mettle.db", "payloads"]) expect(existsSync(join(home, id, name))).toBe(false);
    }
  });

  test("shows the URL to no agent, no test, no command and no program of git, and stores it nowhere", () => {
    const password = new URL(url).password;
    for (const who of spied) {
      const text = readFileSync(into(who), "utf8");
      expect(text).toMatch(/PATH/u);
      expect([who, text.includes("METTLE_STORE_URL"), text.includes(password)]).toEqual([who, false, false]);
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
  });

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

  test("is refused where the store cannot be used or is another one, each time with a code and a hint", async () => {
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
    expect((await there.cli(["status", run])).code).toBe(0);
  }, 60_000);
});
