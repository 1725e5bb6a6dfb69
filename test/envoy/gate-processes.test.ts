/** Gates with several agents in separate processes, some of them killed. */
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { beforeAll, beforeEach, expect } from "vitest";
import { packageRoot } from "../../src/config/package-root.ts";
import { verifies, verifiesInCi } from "../verifies.ts";
import { wide } from "../wide.ts";
import { createGateWorld, type GateWorld } from "./gate-world.ts";
import type { Json } from "./plan-world.ts";

const program = packageRoot("dist", "bin", "envoy.js");

let world: GateWorld;
beforeAll(async () => void (world = await createGateWorld()));
beforeEach(() => world.reset());

interface Said {
  readonly status: string;
  readonly data: Json;
}

function agent(line: readonly string[]): Promise<Said> {
  const { repository, env } = world;
  return new Promise((resolve) =>
    execFile(
      process.execPath,
      [program, ...line],
      { cwd: repository.dir, env, timeout: 60_000 },
      (_, stdout) => resolve(JSON.parse(stdout) as Said),
    ),
  );
}

const until = async (isSo: () => boolean) => {
  for (let tries = 0; !isSo(); tries++) {
    expect(tries).toBeLessThan(600);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

const gate = (id: string) => ["plan", "block-prompt-variants-gate", ...id.split(" ")];

verifies(
  "ENV-93",
  "three waiting calls and a later one each get the answer for their own variant",
  async () => {
    for (const letter of ["A", "B", "C"]) {
      await world.implement(`1 ${letter}`, await world.prompt(`1 ${letter}`));
      await world.review(`1 ${letter}`);
    }
    const waiting = ["A", "B", "C"].map((letter) => agent(gate(`1 ${letter}`)));
    await until(() => existsSync(world.place("1_variants.yaml")));
    await world.answer("1_variants", {
      "variants.A.decision": "discard",
      "variants.B.decision": "main",
      "variants.B.reason": '"smallest"',
      "variants.C.decision": "alternative",
      thoughts: '"good work"',
    });
    const answers = [...(await Promise.all(waiting)), await agent(gate("1 C"))];
    expect(answers.map(({ status }) => status)).toEqual(["success", "success", "success", "success"]);
    expect(answers.map(({ data }) => [data["variant_solution"], data["reason"], data["thoughts"]])).toEqual([
      ["discard", "", "good work"],
      ["main", "smallest", "good work"],
      ["alternative", "", "good work"],
      ["alternative", "", "good work"],
    ]);
    expect((await world.userInput()).match(/^## \[Variants of prompt 1\]$/gmu)).toHaveLength(1);
  },
);

const heading = /^## \[Testing of prompt \d+, iteration 1\]$/gmu;

verifiesInCi(
  "ENV-92",
  "a call that is killed after the person has saved loses no answer and records none twice",
  async () => {
    const kills = wide ? 6 : 2;
    for (let number = 1; number <= kills; number++) {
      const id = `${number}`;
      await world.implement(id, await world.prompt(id));
      const line = ["plan", "block-prompt-testing-gate", id];
      const child: ChildProcess = spawn(process.execPath, [program, ...line], {
        cwd: world.repository.dir,
        env: world.env,
        stdio: "ignore",
      });
      const ended = once(child, "close");
      await until(() => existsSync(world.place(`${id}_testing.yaml`)));
      await world.answer(`${id}_testing`, { test_passed: "false", user_required_changes: `"More of ${id}"` });
      // From before it reads the file to after it has returned the answer.
      setTimeout(() => child.kill("SIGKILL"), 200 + number * (wide ? 80 : 240));
      await ended;
      expect(await world.ok(line)).toMatchObject({ passed: false, user_required_changes: `More of ${id}` });
      expect(await world.ok(line)).toMatchObject({ passed: false, user_required_changes: `More of ${id}` });
      const { reviews } = await world.fields(`prompts/${id}.md`);
      expect(reviews).toHaveLength(1);
      const input = await world.userInput();
      expect(input.match(heading)).toHaveLength(number);
      expect(existsSync(world.place(`${id}_testing.yaml`))).toBe(false);
    }
  },
);
