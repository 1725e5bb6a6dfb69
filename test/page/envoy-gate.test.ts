/**
 * A gate of an Envoy plan, answered in the page by the form that its schema makes.
 * @module-tag ci
 */
import { beforeAll, expect, test } from "vitest";
import { createGateWorld, type GateWorld } from "../envoy/gate-world.ts";
import type { GateForm } from "../../src/page/app/wire.ts";
import type { PlanModel } from "../../src/views/model/plan-model.ts";
import { servePageOf, type Browser } from "./page-server.ts";

let world: GateWorld;
let one: Browser;
let two: Browser;
let repository = "";
let path = "";
const call = ["plan", "block-prompt-testing-gate", "1"];

beforeAll(async () => {
  world = await createGateWorld();
  await world.reset();
  const worktree = await world.prompt("1", "--requires-testing");
  await world.implement("1", worktree);
  await world.open(call);
  await world.mettle("status");
  const server = await servePageOf({ home: world.env["METTLE_HOME"] ?? "", env: world.env });
  [one, two] = [await server.browser(), await server.browser()];
  const { repositories } = (await one.get("runs")).json as { repositories: { id: string }[] };
  repository = `repositories/${repositories[0]?.id ?? ""}`;
  path = `${repository}/gates`;
});

test("the plan is shown with the step that each prompt is at, and the commits of its change", async () => {
  const { plan } = (await one.get(`${repository}/plan?branch=feature/x`)).json as { plan: PlanModel };
  expect(plan).toMatchObject({
    branch: "feature/x",
    prompts: [
      {
        id: "1",
        isInProgress: true,
        agent: "worker",
        iterations: 1,
        steps: [
          { name: "start", isDone: true },
          // Recorded, and not committed.
          { name: "implement", isDone: false },
          { name: "review", isDone: false },
          { name: "test", isDone: false },
          { name: "merge", isDone: false },
        ],
        verified: null,
        change: null,
      },
    ],
  });
  expect((await one.get(`${repository}/plan?branch=main`)).json["plan"]).toBeNull();
});

test("the form has the fields of the gate, and an answer is checked, bound to what was shown and taken once", async () => {
  const [form] = (await one.get(path)).json["gates"] as GateForm[];
  expect(form).toMatchObject({
    gate: "1_testing",
    fields: [
      { name: "test_passed", type: "yes-or-no", value: null },
      { name: "user_required_changes", type: "text", value: "" },
      { name: "logs", type: "text" },
      { name: "thoughts", type: "text" },
    ],
  });
  const { gate = "", branch = "", hash = "" } = form ?? {};
  const send = (browser: Browser, sets: readonly (readonly string[])[], of = hash) =>
    browser.post(path, { gate, branch, hash: of, sets });
  expect(await send(one, [["test_passed", "true"]], `sha256:${"0".repeat(64)}`)).toMatchObject({
    status: 409,
    json: { error: { code: "approval_stale" } },
  });
  expect(await send(one, [["test_passed", "false"]])).toMatchObject({
    status: 400,
    json: {
      error: { code: "invalid_answer", message: expect.stringContaining("describe the required changes") },
    },
  });
  const answer = [
    ["test_passed", "false"],
    ["user_required_changes", "Do not blink"],
    ["logs", "Error: it blinks\n"],
  ];
  const both = await Promise.all([send(one, answer), send(two, answer)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect(both.find(({ status }) => status === 409)?.json["error"]).toMatchObject({
    code: "already_answered",
    message: expect.stringContaining("(page; nothing kept the agents from it)"),
  });
  expect(await world.ok(call)).toMatchObject({
    passed: false,
    refinements: "Do not blink",
    logs: "Error: it blinks\n",
  });
  expect(await world.userInput()).toContain("(page; nothing kept the agents from it)");
});
