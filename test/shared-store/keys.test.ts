// @module-tag ci
/** `mettle keys`: operators enrol and revoke the keys of workers (SCL-08). */
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { writeFileSync } from "node:fs";
import { hostname, userInfo } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { verifies } from "../verifies.ts";
import type { CliResult } from "../orchestrate/world.ts";
import { newFolder } from "../support/folder.ts";
import { createRepository } from "../support/repository.ts";
import { hasPostgres, startPostgres } from "../support/postgres.ts";
import { cloneOf, sharedHost, sharedRepository, type SharedHost } from "./world.ts";

const me = `${userInfo().username}@${hostname()}`;
const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT/u);
const id = expect.stringMatching(/^sha256:[0-9a-f]{64}$/u);
const errorOf = ({ code, stderr }: CliResult) => [
  code,
  /error\[(\w+)\]/u.exec(stderr)?.[1],
  /\nhint: ./u.test(stderr),
];

describe.skipIf(!hasPostgres)("the keys of a shared store", () => {
  let here: SharedHost;
  let worker: SharedHost;
  let url = "";

  beforeAll(async () => {
    url = (await startPostgres()).newDatabase();
    const repository = await sharedRepository({ "a.js": "export {};\n" });
    here = sharedHost(repository.dir, url);
    worker = sharedHost(await cloneOf(repository), url);
  }, 60_000);

  const pemFile = (text: string) => {
    const file = join(newFolder(), "key.pem");
    writeFileSync(file, text);
    return file;
  };

  verifies(
    "SCL-08",
    "are enrolled by an operator from what the worker's host prints, listed and revoked",
    async () => {
      expect((await here.cli(["keys", "list"])).stdout).toMatch(
        /^no key is enrolled.*\nnot enrolled: the key of this host, sha256:/u,
      );
      const shown = await worker.cli(["keys", "show"]);
      expect([shown.code, shown.stdout]).toEqual([
        0,
        expect.stringMatching(/^-----BEGIN PUBLIC KEY-----\n.+\n-----END PUBLIC KEY-----\n$/u),
      ]);
      const json = (await worker.cli(["keys", "show", "--json"])).json();
      expect(json).toEqual({ version: 1, key: id, public_key: shown.stdout, name: null, revoked: false });

      // A worker enrols itself on an empty register only: here the operator was first.
      const first = await here.cli(["keys", "enrol", "control", "--json"]);
      expect([first.code, first.json()]).toEqual([
        0,
        {
          version: 1,
          name: "control",
          key: id,
          enrolled_by: me,
          enrolled_at: at,
          revoked_by: null,
          revoked_at: null,
        },
      ]);
      expect(errorOf(await worker.cli(["keys", "enrol", "worker-1"]))).toEqual([5, "key_unenrolled", true]);
      const enrolled = await here.cli(["keys", "enrol", "worker-1", pemFile(shown.stdout)]);
      expect([enrolled.code, enrolled.stdout, enrolled.stderr]).toEqual([
        0,
        `enrolled worker-1, ${String(json["key"])}\n`,
        "",
      ]);
      const again = await here.cli(["keys", "enrol", "worker-1", "-"], url, shown.stdout);
      expect([again.code, again.stdout]).toEqual([0, enrolled.stdout]);

      const list = await worker.cli(["keys", "list"]);
      const own = String(json["key"]);
      expect(list.stdout).toMatch(
        new RegExp(
          `^control   sha256:\\w+\n {10}enrolled by .+\nworker-1  ${own} {2}\\(this host\\)\n {10}enrolled by `,
          "u",
        ),
      );
      const revoked = await here.cli(["keys", "revoke", "worker-1", "--json"]);
      expect([revoked.code, revoked.json()]).toMatchObject([
        0,
        { name: "worker-1", key: own, revoked_by: me, revoked_at: at },
      ]);
      expect((await here.cli(["keys", "list", "--json"])).json()).toMatchObject({
        keys: [
          { name: "control", here: true, revoked_at: null },
          { name: "worker-1", here: false, revoked_by: me },
        ],
      });
      expect((await worker.cli(["keys", "show", "--json"])).json()).toMatchObject({
        name: "worker-1",
        revoked: true,
      });
    },
    60_000,
  );

  verifies(
    "SCL-08",
    "are enrolled and revoked by a person only",
    async () => {
      const agent = sharedHost(here.dir, url, { METTLE_DISPATCH: "1" });
      for (const args of [
        ["enrol", "mine"],
        ["revoke", "control"],
      ])
        expect(errorOf(await agent.cli(["keys", ...args]))).toEqual([1, "agent_cannot_approve", true]);
    },
    60_000,
  );

  test("are refused with a code and a hint when they or their names are wrong", async () => {
    const pairOf = ({ publicKey, privateKey }: { publicKey: KeyObject; privateKey: KeyObject }) => ({
      pem: String(publicKey.export({ type: "spki", format: "pem" })),
      secret: String(privateKey.export({ type: "pkcs8", format: "pem" })),
    });
    const [good, other] = [pairOf(generateKeyPairSync("ed25519")), pairOf(generateKeyPairSync("ed25519"))];
    const rsa = pairOf(generateKeyPairSync("rsa", { modulusLength: 2048 }));
    await here.cli(["keys", "enrol", "worker-2", pemFile(good.pem)]);
    for (const [name, text, code] of [
      ["worker-3", "hello", "key_invalid"],
      ["worker-3", good.pem.replace("MCow", "MCoX"), "key_invalid"],
      ["worker-3", `${good.pem}${other.pem}`, "key_invalid"],
      ["worker-3", rsa.pem, "key_invalid"],
      ["worker-3", good.secret, "key_invalid"],
      ["worker-3", good.pem, "key_already_enrolled"],
      ["worker-2", other.pem, "key_name_taken"],
      ["worker 3", other.pem, "usage"],
    ] as const) {
      const called = await here.cli(["keys", "enrol", name, pemFile(text)]);
      expect([text, errorOf(called)]).toEqual([text, [2, code, true]]);
      expect(called.stderr).not.toContain(good.secret.split("\n")[1]);
    }
    expect(errorOf(await here.cli(["keys", "revoke", "nobody"]))).toEqual([2, "key_unknown", true]);
    expect(errorOf(await here.cli(["keys", "enrol", "x", "missing.pem"]))).toEqual([2, "usage", true]);
  }, 60_000);

  test("are none in a local store, whose own key is printed all the same", async () => {
    const local = sharedHost((await createRepository({ files: { "a.js": "" } })).dir, url);
    for (const args of [["list"], ["enrol", "x"], ["revoke", "x"]])
      expect(errorOf(await local.cli(["keys", ...args]))).toEqual([2, "store_not_shared", true]);
    expect((await local.cli(["keys", "show"])).stdout).toMatch(/^-----BEGIN PUBLIC KEY-----/u);
  }, 60_000);
});
