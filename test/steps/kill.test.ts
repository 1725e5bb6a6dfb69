/**
 * kill -9 of the driver during an agent's work, at a gate, and between merge and report: the same end, nothing twice.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { beforeAll, expect, vi } from "vitest";
import { packageRoot } from "../../src/config/package-root.ts";
import { hasProc, processEntry } from "../../src/process/proc.ts";
import { promptText } from "../envoy/plan-world.ts";
import { createStepsWorld, implemented, merged, type StepsWorld } from "./world.ts";
import { inCi } from "../verifies.ts";

vi.setConfig({ testTimeout: 180_000 });

let world: StepsWorld;
beforeAll(async () => void (world = await createStepsWorld()));

const home = () => world.env["HOME"] ?? "";

/** The first agent that gets here writes its process id and hangs; the next one continues. */
const stay = (name: string) =>
  `[ -e ${home()}/${name} ] || { echo $$ > ${home()}/.${name}; mv ${home()}/.${name} ${home()}/${name}; sleep 90; }`;

/** @returns the orphaned agent's process id */
async function killedAt(name: string, args: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [packageRoot("dist/bin/mettle.js"), ...args], {
    cwd: world.repository.dir,
    env: { ...world.env },
    stdio: "ignore",
  });
  const ended = once(child, "close");
  for (let left = 600; left > 0 && child.exitCode === null && !existsSync(join(home(), name)); left--)
    await pause(100);
  child.kill("SIGKILL");
  expect([name, await ended]).toEqual([name, [null, "SIGKILL"]]);
  return Number(await readFile(join(home(), name), "utf8"));
}

inCi(
  "a run whose driver is killed three times ends as an undisturbed one, and none of its agents keeps working",
  async () => {
    const gate = "envoy plan block-prompt-testing-gate 1";
    await world.ok(["plan", "write-prompt", "1", ...promptText, "--requires-testing"]);
    await world.cassette({
      worker: [
        {
          does: [
            { shell: implemented("1", "export const one = 1;") },
            { shell: stay("works") },
            { shell: `${gate}; ${stay("asks")}` },
          ],
        },
        {
          expects: [`\`${gate}\` answers:`],
          does: [{ shell: merged("1") }, { shell: stay("merged") }],
          report: { status: "DONE", message: "merged", payload: { success: true, merged: true } },
        },
      ],
    });
    const line = ["run", "--protocol", "implementation", "--input", "prompt_num=1"];
    const agents = [
      await killedAt("works", [...line, "--agent", `scripted:${join(home(), "cassette.yaml")}`]),
    ];
    const [{ run = "" } = {}] = (await world.run(["status"])).json["runs"] as { run?: string }[];
    agents.push(await killedAt("asks", ["resume", run]));
    const waiting = await world.run(["resume", run]);
    expect([waiting.code, waiting.json["waiting"]]).toMatchObject([3, { kind: "plan_gate" }]);
    // Without its plan or its branch no agent starts; once they are back, the run continues.
    await rename(world.dir, join(home(), "plan"));
    const without = await world.run(["resume", run]);
    expect([without.code, without.json["error"]]).toMatchObject([2, { code: "no_plan" }]);
    await rename(join(home(), "plan"), world.dir);
    await world.repository.git("branch", "-m", "feature/x", "away");
    const astray = await world.run(["resume", run]);
    expect([astray.code, astray.json["error"]]).toMatchObject([2, { code: "revision_unknown" }]);
    await world.repository.git("branch", "-m", "away", "feature/x");
    await world.answer("1_testing", { test_passed: "true" });
    agents.push(await killedAt("merged", ["resume", run]));
    const ended = await world.run(["resume", run]);
    expect([ended.code, ended.json["status"]]).toEqual([0, "complete"]);
    // Without /proc an orphan's run cannot be determined.
    if (hasProc) expect(agents.map(processEntry)).toEqual([null, null, null]);
    const log = await world.repository.git("log", "--format=%s", "main..feature/x");
    expect(log.split("\n").filter((subject) => subject !== "A shop")).toEqual([
      "Merge prompt 1 implementation",
      "Add 1",
    ]);
    const { status, walkthrough } = await world.fields("prompts/1.md");
    expect([status, walkthrough]).toMatchObject(["merged", [{ iteration: 1 }]]);
    const events = await world.events(run);
    const of = (type: string) => events.filter((event) => event["type"] === type);
    expect(of("result").map(({ outcome }) => outcome)).toEqual(["WAITING", "given", "DONE", "pass"]);
    expect([of("plan.gate_opened").length, of("claim.unverified").length]).toEqual([1, 0]);
  },
);
