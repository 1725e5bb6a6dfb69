/** The tests run on the merged tree before the feature branch moves. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeAll, expect } from "vitest";
import { callHere } from "../cli/here.ts";
import { verifies, verifiesInCi } from "../verifies.ts";
import { createGateWorld, type GateWorld } from "./gate-world.ts";
import { record, walkthrough } from "./plan-world.ts";

let world: GateWorld;
beforeAll(async () => {
  world = await createGateWorld();
  await world.repository.write({
    "package.json": '{ "name": "shop", "type": "module" }\n',
    "src/price.js": "export const price = (n) => n;\n",
    "test/price.test.js": `import { test } from "node:test";
import assert from "node:assert";
import { price } from "../src/price.js";
test("one", () => assert.equal(price(1), 1));
`,
    ".gitignore": "local.txt\n",
  });
  await world.repository.git("add", "-A");
  await world.repository.git("commit", "--quiet", "-m", "A shop");
  await world.reset();
});

async function ready(id: string, files: Readonly<Record<string, string>>) {
  const path = await world.prompt(id);
  for (const [file, text] of Object.entries(files)) {
    await mkdir(join(path, dirname(file)), { recursive: true });
    await writeFile(join(path, file), text);
  }
  await world.ok(record(id, 1, walkthrough(1)));
  await world.ok(["git", "commit", id, "--message", "Work"]);
  await world.review(id);
  return path;
}

const test_ = (name: string, body: string) => `import { test } from "node:test";
import assert from "node:assert";
import * as shop from "../src/price.js";
test("${name}", () => { ${body} });
`;
const head = () => world.repository.git("rev-parse", "feature/x");
/** Every commit that the feature branch has pointed to. */
const moves = async () => (await world.repository.git("reflog", "feature/x")).split("\n").length;
const outputOf = async (command: string) =>
  (await callHere([command], { cwd: world.repository.dir, env: world.env })).stdout;
const merge = (id: string) => ["git", "merge-worktree", id];

verifies(
  "ENV-65",
  "of two prompts that pass alone and fail together only one is merged, and a record proves the failure",
  async () => {
    // One prompt doubles the price, the other relies on the old one. The test fails if stray files are in the checkout.
    const clean =
      'import("node:fs").then((fs) => assert(!fs.existsSync(new URL("../local.txt", import.meta.url))))';
    const one = await ready("1", {
      "src/price.js": "export const price = (n) => n * 2;\n",
      "test/price.test.js": test_("one", `assert.equal(shop.price(1), 2); return ${clean};`),
    });
    for (const dir of [world.repository.dir, one]) await writeFile(join(dir, "local.txt"), "mine\n");
    await ready("2", {
      "src/total.js":
        'import { price } from "./price.js";\nexport const total = (a, b) => price(a) + price(b);\n',
      "test/total.test.js": test_("total", "")
        .replace("price.js", "total.js")
        .replace("{  }", "{ assert.equal(shop.total(1, 2), 3); }"),
    });
    const merged = await world.ok(merge("1"));
    expect(merged).toMatchObject({
      already_merged: false,
      verification: { verdict: "pass", record: expect.stringMatching(/^sha256:/u) as string },
    });
    const { record: ref } = merged["verification"] as { record: string };
    const shown = await world.mettle("show", ref);
    expect(JSON.parse(shown.json["text"] as string)).toMatchObject({
      purpose: "merge",
      verdict: "pass",
      commit: await head(),
      required: ["test/price.test.js::one"],
    });
    const before = await head();
    const moved = await moves();
    const refused = await world.refused(merge("2"));
    expect(refused).toMatchObject({
      code: 2,
      type: "verification_failed",
      message: expect.stringContaining("test/total.test.js::total") as string,
      detail: { verification: { verdict: "fail" } },
    });
    // It never moved, not even briefly.
    expect([await head(), await moves()]).toEqual([before, moved]);
    expect(await world.repository.git("status", "--porcelain")).toBe("");
    expect((await world.ok(["plan", "read-prompt", "2"]))["pending_refinement"]).toMatchObject({
      source: "testing",
    });
    // One chain: each record names the previous one.
    const records = JSON.parse(await world.read("records.json")) as {
      ref: string;
      envelope: string;
      purpose: string;
    }[];
    expect(records.filter(({ purpose }) => purpose === "merge")).toMatchObject([
      { verdict: "pass" },
      { verdict: "fail" },
    ]);
    for (const [at, one] of records.entries()) {
      const { json } = await world.mettle("show", one.ref);
      expect(JSON.parse(json["text"] as string)).toMatchObject({
        previous: records[at - 1]?.envelope ?? null,
      });
    }
  },
);

verifiesInCi(
  "ENV-65",
  "a merge by hand is tested too; the configured runner decides, and a merge without a runner is UNVERIFIED",
  async () => {
    const before = await head();
    await world.repository.git("merge", "--quiet", "--no-ff", "-m", "By hand", "feature/x--implementation-2");
    await world.ok(record("2", 2, walkthrough(2, "testing-refinement")));
    await world.review("2");
    expect(await world.refused(merge("2"))).toMatchObject({ type: "verification_failed" });
    expect((await world.fields("prompts/2.md"))["merge_commit_hash"]).toBe(null);
    await world.repository.git("reset", "--quiet", "--hard", before);
    for (const command of ["status", "log"]) expect(await outputOf(command)).not.toContain("UNVERIFIED");
    // The configured runner is used, not a detected one; if it cannot run, that is not a pass.
    await world.repository.write({ "mettle.yaml": "version: 1\nrunner: jest\n" });
    await ready("3", { "c.txt": "1\n" });
    expect(await world.refused(merge("3"))).toMatchObject({ code: 5, type: "verification_inconclusive" });
    expect(await head()).toBe(before);
    await world.repository.write({ "mettle.yaml": "version: 1\nrunner: node:test\n" });
    await ready("4", { "d.txt": "1\n" });
    expect(await world.ok(merge("4"))).toMatchObject({ verification: { verdict: "pass" } });
    // Without any test runner the merge goes on, and is marked UNVERIFIED.
    await world.repository.write({ "mettle.yaml": 'version: 1\npackages: { ".": none }\n' });
    expect(await world.ok(merge("3"))).toMatchObject({
      verification: null,
      note: expect.stringContaining("UNVERIFIED") as string,
    });
    expect(await world.ok(["plan", "complete-prompt", "3"])).toMatchObject({
      verification: null,
      note: expect.stringContaining("UNVERIFIED") as string,
    });
    const commit = await head();
    const { json } = await world.mettle("status");
    expect(json["unverified"]).toEqual([{ prompt: "3", branch: "feature/x", commit }]);
    expect(await outputOf("status")).toMatch(
      /^UNVERIFIED merges of envoy.*\n {2}prompt 3 of feature\/x: commit /mu,
    );
    expect(await outputOf("log")).toMatch(/: envoy git merge-worktree 3\n {2}UNVERIFIED: no test runner/u);
    const { calls } = (await world.mettle("log")).json as { calls: { command: string; note?: string }[] };
    const noted = calls.filter(({ note }) => note?.startsWith("UNVERIFIED") === true);
    expect(noted.map(({ command }) => command)).toEqual(["git merge-worktree", "plan complete-prompt"]);
  },
);
