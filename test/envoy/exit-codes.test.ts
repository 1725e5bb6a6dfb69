/**
 * Exit codes say whether there is an answer, and why not; the data has the answer itself (ENV-20).
 * @module-tag ci
 */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { packageRoot } from "../../src/config/package-root.ts";
import { envoy } from "../../src/envoy/envoy.ts";
import { errorCodes } from "../../src/lib/errors.ts";
import { callHere } from "../cli/here.ts";
import { verifies } from "../verifies.ts";
import { createGateWorld, type GateWorld } from "./gate-world.ts";
import type { Json } from "./plan-world.ts";

const program = packageRoot("dist", "bin", "envoy.cjs");

let world: GateWorld;
beforeAll(async () => {
  world = await createGateWorld();
  await world.reset();
});

type Said = { readonly data: Json; readonly error: { readonly type: string } };
type Line = readonly string[];

const checkReply = (line: Line, { code, stdout }: { readonly code: number; readonly stdout: string }) => {
  const { status, ...rest } = JSON.parse(stdout) as { status: string } & Said;
  expect([line, code, status]).toEqual([line, code, code === 0 ? "success" : "error"]);
  return { code, ...rest };
};
const call = async (line: Line, env = {}) =>
  checkReply(line, await callHere(line, { cwd: world.repository.dir, env: { ...world.env, ...env } }, envoy));
/** Runs the built program, which must exit with the same code. */
const start = (line: Line, env = {}) => {
  const at = {
    cwd: world.repository.dir,
    env: { ...world.env, ...env },
    encoding: "utf8",
    timeout: 60_000,
  } as const;
  const { status, stdout } = spawnSync(process.execPath, [program, ...line], at);
  return checkReply(line, { code: status ?? -1, stdout });
};

const testing = ["plan", "block-prompt-testing-gate", "1"];
const variants = ["plan", "block-prompt-variants-gate", "2", "B"];
const review = ["gemini", "review", "1"];

const atOnce = (line: Line) => [...line, "--wait", "0"];

/** Sets the reply of the reviewer. */
const reviewer = (text: string, more = "") =>
  world.repository.write({
    "mettle.yaml": `version: 1\n${more}agents: { roles: { reviewer: 'scripted:review.yaml' } }\n`,
    "review.yaml": JSON.stringify({
      version: 1,
      kind: "cassette",
      roles: { reviewer: [{ does: [{ say: text }], repeat: true }] },
    }),
  });

verifies(
  "ENV-20",
  "the exit code is 0 for every answer, and otherwise depends on the kind of error",
  async () => {
    const worktree = await world.prompt("1", "--requires-testing");
    // 2: the arguments are wrong, or an earlier step is missing.
    for (const [line, type] of [
      [["plan", "nxt"], "usage"],
      [["plan", "read-prompt", "0"], "invalid_number"],
      [["plan", "read-prompt", "7"], "not_found"],
      [["protocol", "none", "--json"], "not_found"],
      [testing, "invalid_status"],
      [["git", "merge-worktree", "1"], "precondition_failed"],
    ] as const)
      expect([line, await call(line)]).toMatchObject([line, { code: 2, error: { type } }]);
    expect(start(["git", "merge-worktree", "1"])).toMatchObject({ code: 2 });
    // 3: no person has answered yet.
    await world.implement("1", worktree);
    expect(await call(atOnce(testing))).toMatchObject({ code: 3, error: { type: "waiting_for_person" } });
    expect(start(atOnce(testing))).toMatchObject({ code: 3, error: { type: "waiting_for_person" } });
    // 5: the reviewer or the machine fails.
    await reviewer("It looks good to me.");
    expect(await call(review)).toMatchObject({ code: 5, error: { type: "review_inconclusive" } });
    const elsewhere = [
      [{ PATH: join(world.repository.dir, "src") }, "git_missing"],
      [{ METTLE_SOCKET: join(world.repository.dir, "none"), METTLE_TOKEN: "x" }, "not_your_dispatch"],
    ] as const;
    for (const [env, type] of elsewhere) {
      expect(await call(["plan", "next"], env)).toMatchObject({ code: 5, error: { type } });
      expect(start(["plan", "next"], env)).toMatchObject({ code: 5, error: { type } });
    }
    // 0: also for a negative answer.
    await reviewer(JSON.stringify({ verdict: "failed", suggested_changes: "Less" }));
    expect(await call(review)).toMatchObject({ code: 0, data: { verdict: "failed" } });
    await world.answer("1_testing", { test_passed: "false", user_required_changes: "More" });
    expect(await call(testing)).toMatchObject({ code: 0, data: { passed: false } });
    for (const id of ["2 A", "2 B"]) {
      await world.implement(id, await world.prompt(id));
      await world.review(id);
    }
    await world.open(variants);
    await world.answer("2_variants", { "variants.A.decision": "main", "variants.B.decision": "discard" });
    expect(await call(variants)).toMatchObject({ code: 0, data: { variant_solution: "discard" } });
    expect(start(variants)).toMatchObject({ code: 0, data: { variant_solution: "discard" } });
    expect(await call(["plan", "next"])).toMatchObject({ code: 0, data: { count: 0 } });
    expect(await call(["protocol", "debugging", "--json"])).toMatchObject({
      code: 0,
      data: { step_count: 18 },
    });
    // 4: the limit of attempts is reached.
    await world.prompt("3");
    const { path } = (await call(["git", "worktree", "3"])).data;
    await world.implement("3", path as string);
    await reviewer(
      JSON.stringify({ verdict: "failed", suggested_changes: "Less" }),
      "limits: { envoy_reviews: 1 }\n",
    );
    const again = ["gemini", "review", "3"];
    expect(await call(again)).toMatchObject({ code: 0, data: { verdict: "failed" } });
    expect(await call(again)).toMatchObject({ code: 4, error: { type: "not_converging" } });
    expect(start(again)).toMatchObject({ code: 4, error: { type: "not_converging" } });
  },
);

test("Envoy's own errors have exit codes from 2 to 5 only, because a negative answer is an answer", async () => {
  const files = ["src/plans", "src/envoy"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
      .map((file) => join(folder, file)),
  );
  const thrown = files.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/new AppError\(\s*"([a-z_]+)"/gu)].map(([, code = ""]) => code),
  );
  expect(new Set(thrown).size).toBeGreaterThan(30);
  const codes: Readonly<Record<string, number>> = errorCodes;
  // Only the page says what it showed, so no call of Envoy ends with it.
  const ofThePage = "approval_stale";
  expect(thrown.filter((code) => code !== ofThePage && ![2, 3, 4, 5].includes(codes[code] ?? 0))).toEqual([]);
});
