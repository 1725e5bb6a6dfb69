// @module-tag ci
/** Records of one run that several hosts signed: who may sign, and what `mettle verify` says of it (SCL-08). */
import { readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { stringify } from "yaml";
import { beforeAll, describe, expect, vi } from "vitest";
import { storeVariable } from "../../src/config/env.ts";
import { openRun } from "../../src/families/open-run.ts";
import { openHost, type OpenHost } from "../../src/run/host.ts";
import { verifyRun } from "../../src/verify/verify-run.ts";
import { verifyTree } from "../../src/verify/verify-tree.ts";
import { writeBundle } from "../../src/evidence/bundle/bundle.ts";
import type { Statement } from "../../src/evidence/bundle/statement.ts";
import { contentsOf, newKey } from "../bundle/packet.ts";
import { verifies } from "../verifies.ts";
import { golden, untestedFiles } from "../orchestrate/world.ts";
import { newFolder } from "../support/folder.ts";
import type { TempRepository } from "../support/repository.ts";
import { hasPostgres, startPostgres, type PostgresServer } from "../support/postgres.ts";
import { cloneOf, sharedHost, sharedRepository, type SharedHost } from "./world.ts";

describe.skipIf(!hasPostgres)("a run that several hosts work on", () => {
  let server: PostgresServer;
  let url = "";
  /** The store as it was when only the first host had written to it. */
  let copyUrl = "";
  let here: SharedHost;
  let there: SharedHost;
  let run = "";
  let warned = "";
  let cassette = "";
  let repository: TempRepository;

  beforeAll(async () => {
    server = await startPostgres();
    url = server.newDatabase();
    repository = await sharedRepository(await untestedFiles());
    here = sharedHost(repository.dir, url);
    const dir = await cloneOf(repository);
    there = sharedHost(dir, url);
    cassette = join(newFolder(), "cassette.yaml");
    writeFileSync(cassette, stringify(await golden()));
    const started = await here.cli([
      "run",
      "Add slugify(text)",
      "--agent",
      `default=scripted:${cassette}`,
      "--json",
    ]);
    warned = started.stderr;
    run = String(started.json()["run"]);
    await here.cli(["answer", run, ...["Q1", "Q2", "Q3", "Q4", "Q5"].map((id) => `${id}=yes`)]);
    const waits = await here.cli(["approve", run]);
    expect([waits.code, waits.stderr]).toEqual([3, expect.any(String)]); // it waits for its code to be approved
    await repository.git(
      "-C",
      dir,
      "fetch",
      "-q",
      repository.dir,
      "+refs/heads/mettle/*:refs/heads/mettle/*",
      "+refs/mettle/*:refs/mettle/*",
    );
    const name = new URL(url).pathname.slice(1);
    server.psql(server.url, `CREATE DATABASE before TEMPLATE ${name}`);
    copyUrl = url.replace(`/${name}`, "/before");
  }, 240_000);

  /** Works as the second host, in this process. */
  async function asThere<Value>(storeUrl: string, work: (host: OpenHost) => Promise<Value>): Promise<Value> {
    vi.stubEnv(storeVariable, storeUrl);
    const host = await openHost(there.dir, { METTLE_HOME: there.home, METTLE_SANDBOX: "off" });
    try {
      return await work(host);
    } finally {
      await host.journal.close();
      vi.unstubAllEnvs();
    }
  }

  /** Proves the commit of GREEN and seals the records. */
  async function sealOn(host: OpenHost): Promise<void> {
    const context = await openRun(host, { run });
    const { green } = context.session.view.head;
    await context.session.prove("session", await verifyTree(context, green ?? ""), []);
  }

  const verifyHere = async (storeUrl = url) => {
    const [text, json] = [
      await here.cli(["verify", run], storeUrl),
      await here.cli(["verify", run, "--json"], storeUrl),
    ];
    return { code: text.code, stdout: text.stdout, json: json.json() };
  };

  verifies(
    "SCL-08",
    "enrols the key of the first host by itself, and says so",
    async () => {
      expect(warned).toContain(
        `note: the shared store had no key, so that of this host was enrolled as ${hostname()}; \`mettle keys enrol\` adds others\n`,
      );
      expect((await here.cli(["keys", "list", "--json"])).json()).toMatchObject({
        keys: [{ name: hostname(), here: true, enrolled_by: expect.stringMatching(/ \(first use\)$/u) }],
      });
    },
    60_000,
  );

  verifies(
    "SCL-08",
    "starts and continues on no host whose key is not enrolled, and seals nothing there",
    async () => {
      const started = await there.cli([
        "run",
        "Add slugify(text)",
        "--agent",
        `default=scripted:${cassette}`,
      ]);
      expect([started.code, started.stderr]).toEqual([
        5,
        expect.stringMatching(
          /error\[key_unenrolled\]: the key of this host is not enrolled.*\nhint: .*`mettle keys enrol NAME KEY.pem`/u,
        ),
      ]);
      await asThere(url, async (host) => {
        const before = await host.journal.head(run);
        await expect(sealOn(host)).rejects.toMatchObject({ code: "key_unenrolled" });
        expect([await host.journal.head(run), await host.journal.runs()]).toEqual([before, [run]]);
      });
    },
    120_000,
  );

  verifies(
    "SCL-08",
    "verifies on either host with the records of both, each with its worker",
    async () => {
      const { stdout: pem } = await there.cli(["keys", "show"]);
      expect((await here.cli(["keys", "enrol", "worker-2", "-"], url, pem)).code).toBe(0);
      const found = await asThere(url, async (host) => {
        await sealOn(host);
        return verifyRun(await openRun(host, { run }));
      });
      expect(found).toMatchObject({ verdict: "pass", why: "" });
      const seen = await verifyHere();
      expect([seen.code, seen.json["verdict"], seen.json["signed"]]).toEqual([0, "pass", found.signed]);
      const workers = found.signed?.map(({ worker }) => worker) ?? [];
      expect(workers).toHaveLength(found.records);
      const own = workers.filter((worker) => worker === hostname()).length;
      expect(workers).toEqual([
        ...Array.from({ length: own }, () => hostname()),
        ...Array.from({ length: workers.length - own }, () => "worker-2"),
      ]);
      expect([own > 1, own < workers.length]).toEqual([true, true]);
      expect(seen.stdout).toContain(
        `\n  signed by ${hostname()}: ${run}/1-${own}\n  signed by worker-2: ${run}/${own + 1}`,
      );
    },
    120_000,
  );

  verifies(
    "SCL-08",
    "is verified elsewhere by a bundle with the keys of both, each of which can be named",
    async () => {
      const [folder, clone] = [newFolder(), join(newFolder(), "clone.git")];
      const file = join(folder, "run.json");
      expect((await here.cli(["verify", run, "--bundle-out", file])).code).toBe(0);
      await repository.git("clone", "--quiet", "--bare", repository.dir, clone);
      const elsewhere = sharedHost(clone, url);
      const verify = async (name: string, ...more: readonly string[]) => {
        const { code, stdout } = await elsewhere.cli(["verify", "--bundle", name, "--json", ...more], null);
        return {
          code,
          ...(JSON.parse(stdout) as { why: string; key: string; signed?: { worker: string; key: string }[] }),
        };
      };
      const { code, key, signed = [] } = await verify(file);
      const ids = [...new Set(signed.map((one) => one.key))];
      const [own = "", worker = ""] = ids;
      expect([code, ids.length, key]).toEqual([0, 2, own]);
      expect(signed).toEqual((await verifyHere()).json["signed"]);
      const printed = await elsewhere.cli(["verify", "--bundle", file], null);
      expect(printed.stdout).toContain(`\n  signed by worker-2 with ${worker}: ${run}/`);

      expect((await verify(file, "--key", own, worker)).code).toBe(0);
      expect(await verify(file, "--key", own)).toMatchObject({
        code: 1,
        why: `worker-2 signed records with the key ${worker}, which --key does not name`,
      });
      expect(await verify(file, "--key", worker)).toMatchObject({
        code: 1,
        why: `it is signed with the key ${own}, not with ${worker}`,
      });

      // A bundle that somebody else states anew.
      const text = readFileSync(file, "utf8");
      const { statement, payloads } = contentsOf(text);
      const { envelopes, version } = JSON.parse(text) as { envelopes: unknown[]; version: number };
      const forged = join(folder, "forged.json");
      const state = (changed: Statement) =>
        writeFileSync(forged, writeBundle({ statement: changed, envelopes, payloads }, newKey()));
      state({ ...statement, signers: (statement.signers ?? []).slice(0, 1) });
      expect([version, await verify(forged)]).toMatchObject([
        2,
        {
          code: 1,
          why: expect.stringMatching(
            new RegExp(`: it was signed with the key ${worker}, which the bundle does not name$`, "u"),
          ),
        },
      ]);
      state(statement);
      expect([(await verify(forged)).code, (await verify(forged, "--key", own, worker)).code]).toEqual([
        0, 1,
      ]);
      writeFileSync(forged, text.replace(/"version":2\}\n$/u, '"version":1}\n'));
      expect(await verify(forged)).toMatchObject({
        code: 1,
        why: "it has version 1, and a statement of version 2",
      });
    },
    120_000,
  );

  verifies(
    "SCL-08",
    "does not verify and goes on nowhere after the key of one host was revoked",
    async () => {
      await asThere(url, async (host) => {
        const context = await openRun(host, { run });
        expect((await here.cli(["keys", "revoke", "worker-2"])).code).toBe(0);
        // At once, also in a process that has the run open.
        await expect(
          context.session.prove(
            "session",
            await verifyTree(context, context.session.view.head.green ?? ""),
            [],
          ),
        ).rejects.toMatchObject({
          code: "key_revoked",
          message: expect.stringMatching(/^the key of this host, worker-2, was revoked by /u),
        });
      });
      const { code, json } = await verifyHere();
      const [, id = ""] = /record (\S+):/u.exec(String(json["why"])) ?? [];
      expect([code, json]).toEqual([
        1,
        expect.objectContaining({
          verdict: "fail",
          record: id,
          why: expect.stringMatching(
            /: it was signed with the key sha256:\w+ of worker-2, which was revoked by \S+ at \S+; a record from before is refused too/u,
          ),
        }),
      ]);
      const resumed = await here.cli(["resume", run]);
      expect([resumed.code, resumed.stderr]).toEqual([
        5,
        expect.stringMatching(
          new RegExp(
            `error\\[key_revoked\\]: no result of run ${run} can be verified: record ${id}: .*\nhint: .*mettle abort ${run}`,
            "u",
          ),
        ),
      ]);
    },
    120_000,
  );

  verifies(
    "SCL-08",
    "does not verify with a record of a key that nobody enrolled",
    async () => {
      const key = await asThere(copyUrl, async (host) => {
        await sealOn({ ...host, key: host.ownKey }); // as a program would that does not ask the register
        return (await host.ownKey()).id;
      });
      const { code, json } = await verifyHere(copyUrl);
      expect([code, json["verdict"], json["why"]]).toEqual([
        1,
        "fail",
        expect.stringMatching(
          new RegExp(`^record ${run}/\\d+: it was signed with the key ${key}, which is not enrolled$`, "u"),
        ),
      ]);
      const resumed = await here.cli(["resume", run], copyUrl);
      expect([resumed.code, resumed.stderr]).toEqual([
        5,
        expect.stringContaining("error[key_unenrolled]: no result of run"),
      ]);
    },
    120_000,
  );
});
