/** Invalid starts of printed steps are refused before an agent costs anything, and change nothing. */
import { beforeAll, expect, test, vi } from "vitest";
import { hashOf, promptText } from "../envoy/plan-world.ts";
import { createStepsWorld, type StepsWorld } from "./world.ts";
import { inCi } from "../verifies.ts";

let world: StepsWorld;
beforeAll(async () => {
  world = await createStepsWorld();
  await world.ok(["plan", "write-prompt", "1", "A", ...promptText]);
  await world.ok(["plan", "write-prompt", "1", "B", ...promptText]);
  await world.ok(["plan", "write-prompt", "2", ...promptText, "--depends-on", "1"]);
  await world.ok(["plan", "write-prompt", "3", ...promptText]);
});

async function refusal(...args: readonly string[]) {
  const { code, json } = await world.run(["run", ...args]);
  const { error } = json as { error?: { code: string; message: string; hint: string } };
  expect([args, code, error?.hint !== ""]).toEqual([args, 2, true]);
  return [error?.code, error?.message];
}

const implementation = (...inputs: readonly string[]) =>
  refusal("--protocol", "implementation", ...inputs.flatMap((input) => ["--input", input]));

inCi("inputs without a prompt to work on are refused with the reason", async () => {
  const before = hashOf(world.dir);
  expect(await implementation()).toEqual(["invalid_inputs", "the input prompt_num is missing"]);
  expect(await implementation("prompt_num=x")).toEqual([
    "invalid_inputs",
    'the input prompt_num is no integer: "x"',
  ]);
  expect(await implementation("prompt_num=3", "colour=red")).toEqual([
    "invalid_inputs",
    "implementation has no input colour",
  ]);
  expect(await implementation("prompt_num")).toEqual(["usage", "--input takes NAME=VALUE, not prompt_num"]);
  expect(await implementation("prompt_num=3", "prompt_num=1")).toEqual([
    "usage",
    "--input prompt_num is given twice",
  ]);
  expect(await implementation("prompt_num=9")).toEqual(["not_found", "there is no prompt 9"]);
  expect(await implementation("prompt_num=1")).toEqual(["invalid_variant", "prompt 1 has the variants A, B"]);
  expect(await implementation("prompt_num=2")).toEqual(["dependencies_unmerged", "prompt 2 waits for 1"]);
  expect(await implementation("prompt_num=3", "feature_branch=main")).toEqual([
    "direct_mode",
    "main is a protected branch and has no plan",
  ]);
  expect(await implementation("prompt_num=3", "feature_branch=other")).toEqual([
    "no_plan",
    "the branch other has no plan",
  ]);
  expect(hashOf(world.dir)).toBe(before);
  expect((await world.run(["status"])).json["runs"]).toEqual([]);
});

inCi("a detached run of a local store goes on in a process of its own", async () => {
  await world.cassette({ worker: [{ report: { status: "BL", message: "I need a person" } }] });
  const line = ["run", "--detach", "--protocol", "implementation", "--input", "prompt_num=3"];
  const started = await world.run(line);
  const { run } = started.json as { run: string };
  expect([started.code, started.json["outcome"]]).toEqual([0, "detached"]);
  await vi.waitFor(
    async () => expect((await world.text("status", run)).stdout).toContain("An agent could not finish"),
    20_000,
  );
  await world.run(["abort", run]);
});

test("an unused task or input is refused", async () => {
  const input = ["--input", "prompt_num=3"];
  expect(await refusal("Be quick", "--protocol", "implementation", ...input)).toEqual([
    "usage",
    "implementation takes no task in words",
  ]);
  expect(await refusal("Be quick", "--protocol", "continue")).toEqual([
    "usage",
    "continue takes no task in words",
  ]);
  for (const [name, ...task] of [["continue"], ["plan", "Sell"], ["riper", "Sell"]])
    expect(await refusal(...task, "--protocol", `${name}`, ...input)).toEqual([
      "usage",
      `${name} takes no --input`,
    ]);
  expect(await refusal("--protocol", "steps", ...input)).toEqual([
    "usage",
    "steps only hosts a protocol of steps",
  ]);
  expect(await refusal("--protocol", "plan")).toEqual(["empty_task", "there is nothing to plan"]);
});

inCi(
  "a segment of many pages is one short line where the run is named, and its agent gets all of it",
  async () => {
    const pages = "All about \u001b[31mprices\u001b[0m.\n".repeat(300);
    const discovery = (agent: string) =>
      ["--protocol", "discovery", "--input", `agent_name=${agent}`, `segment_context=${pages}`] as const;
    expect((await refusal(...discovery("../../x")))[0]).toBe("invalid_name");
    await world.cassette({
      worker: [{ expects: [JSON.stringify(pages)], report: { status: "BL", message: "I need a person" } }],
    });
    const started = await world.run(["run", ...discovery("surveyor")]);
    const { run } = started.json as { run: string };
    expect([started.code, started.json["status"]]).toEqual([4, "blocked"]);
    for (const said of [
      await world.text("status"),
      await world.text("log", run),
      await world.text("show", run),
    ])
      expect(said.stdout.split("\n").filter((line) => line.length > 250 || line.includes("\u001b"))).toEqual(
        [],
      );
    await world.run(["abort", run]);
  },
);

test("a custom protocol is refused if it is unreadable, or if no answer could be checked against a plan", async () => {
  const file = ".claude/protocols/careful.yaml";
  const careful = (more: string) => `name: careful\ndescription: Careful\nextends: implementation\n${more}`;
  await world.repository.write({ [file]: careful("steps: [\n") });
  const run = () => refusal("--protocol", "careful", "--input", "prompt_num=3");
  const [code, message] = await run();
  expect([code, message]).toEqual(["invalid_yaml", expect.stringContaining(file)]);
  await world.repository.write({
    [file]: careful("outputs:\n  - { value: fine, description: It is fine }\nsteps:\n  1.1: Wait\n"),
  });
  expect(await run()).toEqual([
    "protocol_invalid",
    "careful has no outputs, so its answer cannot be checked against the plan",
  ]);
});

inCi("a prompt of another run is refused until that run has ended", async () => {
  await world.cassette({ worker: [{ report: { status: "BL", message: "I need a person" } }] });
  const line = ["run", "--protocol", "implementation", "--input", "prompt_num=3"];
  const first = await world.run(line);
  const { run } = first.json as { run: string };
  expect([first.code, first.json["status"]]).toEqual([4, "blocked"]);
  expect(await implementation("prompt_num=3")).toEqual([
    "already_in_progress",
    `the run ${run} works on prompt 3`,
  ]);
  await world.run(["abort", run]);
  const second = await world.run(line);
  expect([second.code, second.json["status"]]).toEqual([4, "blocked"]);
});
