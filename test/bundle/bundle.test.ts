/** A bundle is verified and replayed on another machine, which has only the commits (PRV-14). */
import { readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { callHere } from "../cli/here.ts";
import { changes, changeWorld, type ChangeWorld } from "../cli/change-world.ts";
import { newFolder } from "../support/folder.ts";
import { inCi, verifiesInCi } from "../verifies.ts";
import { contentsOf, edited, newKey, sealed } from "./packet.ts";

let world: ChangeWorld;
let file: string;
/** A bare clone elsewhere. */
let clone: string;
let environment: Readonly<Record<string, string>>;

beforeAll(async () => {
  world = await changeWorld(["honest", "untested"]);
  file = join(world.home, "bundle.json");
  const proved = await world.ask("prove", "--base", "main", "--head", "honest", "--bundle-out", file);
  expect(proved.code).toBe(0);
  const [folder, home] = [newFolder(), newFolder()];
  clone = join(folder, "clone.git");
  await world.repo.git("clone", "--quiet", "--bare", world.repo.dir, clone);
  environment = {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    METTLE_HOME: join(home, "state"),
    METTLE_MUTATION_BUDGET: "0",
  };
});

interface Answer {
  readonly [field: string]: unknown;
  readonly why?: string;
  readonly key?: string;
  readonly error?: { readonly code: string; readonly message: string; readonly hint: string };
}

async function verify(bundle: string, ...more: readonly string[]) {
  const args = ["verify", "--bundle", bundle, "--json", ...more];
  const { code, stdout } = await callHere(args, { cwd: clone, env: environment });
  return { code, answer: JSON.parse(stdout) as Answer };
}

verifiesInCi(
  "PRV-14",
  "a bare clone with another state home verifies a bundle, and replays it equally",
  async () => {
    const plain = await verify(file);
    expect(plain).toMatchObject({
      code: 0,
      answer: {
        verdict: "pass",
        made: "prove",
        records: 9,
        key: expect.stringMatching(/^sha256:/u) as string,
        required: ["test/discount.test.js::takes a discount"],
        unchecked: expect.arrayContaining([
          expect.stringContaining("whose key signed it"),
          expect.stringContaining("the machine was honest"),
          expect.stringContaining("the clock"),
        ]) as string[],
      },
    });
    const replayed = await verify(file, "--replay", "--key", plain.answer.key ?? "");
    expect(replayed).toMatchObject({
      code: 0,
      answer: {
        verdict: "pass",
        replayed: [
          expect.stringMatching(/^red /u),
          expect.stringMatching(/^green /u),
          expect.stringMatching(/^prove /u),
        ],
        same_verdict: expect.stringMatching(/^sha256:/u) as string,
      },
    });
    // A tree that gives another verdict: the signed result is that of nobody's run.
    const contents = contentsOf(await readFile(file, "utf8"));
    for (const record of contents.records)
      for (const one of record.tests.filter(({ kind }) => kind === "not-implemented")) one.kind = "assertion";
    const other = join(world.home, "other.json");
    await writeFile(other, sealed(contents, newKey()));
    const found = await verify(other, "--replay");
    expect([found.code, found.answer.why]).toEqual([
      1,
      expect.stringMatching(/^replayed differently: \S+\/3 \(red\) recorded tests .*"assertion"/u),
    ]);
  },
);

test("a commit that is missing is inconclusive, and another key is refused", async () => {
  const empty = join(newFolder(), "empty.git");
  await world.repo.git(
    "clone",
    "--no-local",
    "--quiet",
    "--bare",
    "--single-branch",
    "--branch",
    "main",
    world.repo.dir,
    empty,
  );
  const args = ["verify", "--bundle", file, "--json"];
  const { code, stdout } = await callHere(args, { cwd: empty, env: environment });
  expect([code, JSON.parse(stdout)]).toMatchObject([
    5,
    {
      verdict: "inconclusive",
      why: expect.stringMatching(/^commit \w+ is not in this repository$/u) as string,
    },
  ]);
  expect(await verify(file, "--key", newKey().id)).toMatchObject({ code: 1, answer: { verdict: "fail" } });
});

test("what is no bundle is refused with a code and a hint", async () => {
  const text = await readFile(file, "utf8");
  const bad = async (content: string) => {
    const name = join(world.home, "bad.json");
    await writeFile(name, content);
    const { code, answer } = await verify(name);
    expect(answer.error?.hint).not.toBe("");
    return [code, answer.error?.code, answer.error?.message];
  };
  const invalid = (message: string) => [2, "bundle_invalid", expect.stringContaining(message)];
  expect(await bad(text.slice(0, text.length / 2))).toEqual(invalid("is not an evidence bundle, or was cut"));
  expect(await bad("")).toEqual(invalid("is not an evidence bundle"));
  expect(await bad("[]")).toEqual(invalid("is not an evidence bundle"));
  expect(await bad(text.replace("{", '{"version":1,'))).toEqual(invalid("a key occurs twice"));
  expect(await bad(JSON.stringify(JSON.parse(text), null, 2))).toEqual(
    invalid("not spelled as Mettle writes it"),
  );
  expect(await bad(edited(text, (bundle) => Object.assign(bundle, { version: 3 })))).toEqual([
    2,
    "version_unsupported",
    expect.stringContaining("has version 3"),
  ]);
  for (const change of [
    { version: "1" },
    { key: 7 },
    { envelopes: {} },
    { payloads: [] },
    { statement: null },
  ])
    expect(await bad(edited(text, (bundle) => Object.assign(bundle, change)))).toEqual(
      invalid(Object.keys(change)[0] ?? ""),
    );
  expect(await bad(edited(text, (bundle) => Object.assign(bundle, { key: "AAAA" })))).toEqual(
    invalid("has no ed25519 public key"),
  );
  const deep = `{"type":"mettle evidence bundle","version":1,"key":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
  expect(await bad(deep)).toEqual(invalid("key"));
  const large = join(world.home, "large.json");
  await writeFile(large, "");
  await truncate(large, 200_000_000);
  expect((await verify(large)).answer.error).toMatchObject({
    code: "bundle_invalid",
    message: expect.stringContaining("has 200 MB") as string,
  });
  expect((await verify(join(world.home, "none.json"))).answer.error?.message).toContain("does not exist");
  expect((await verify("/dev/null")).answer.error?.code).toBe("bundle_invalid");
  expect((await verify(file, "some-run")).answer.error?.code).toBe("usage");
});

inCi("a proof that failed is bundled, and its bundle proves nothing", async () => {
  const failed = join(world.home, "failed.json");
  const args = ["--base", "main", "--head", "untested", "--bundle-out", failed];
  expect((await world.ask("prove", ...args)).code).toBe(1);
  const { code, answer } = await verify(failed);
  expect([code, answer.why]).toEqual([1, expect.stringMatching(/^the evidence holds, and does not prove/u)]);
});

inCi("a bundle states the controls that were switched off, so its replay runs the same ones", async () => {
  const base = await world.branch("fewer", "main", {
    "mettle.yaml": "version: 1\nproof: { null_stubs: false }\n",
  });
  const head = await world.branch("fewer-head", base, changes["honest"] ?? {});
  const own = join(world.home, "fewer.json");
  await world.repo.git("switch", "--quiet", "fewer");
  const proved = await world.ask("prove", "--base", base, "--head", head, "--bundle-out", own);
  await world.repo.git("switch", "--quiet", "main");
  expect(proved.code).toBe(0);
  await world.repo.git("push", "--quiet", clone, "fewer", "fewer-head");
  const { code, answer } = await verify(own, "--replay");
  expect([code, answer.why]).toEqual([0, ""]);
});
