/** Without hooks the gates find the same faults (CORE-87). */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect } from "vitest";
import { eventsOf } from "../orchestrate/world.ts";
import { verifiesInCi } from "../verifies.ts";
import { openSession, type HookSession } from "./session.ts";

let session: HookSession;
beforeAll(async () => {
  session = await openSession("dptr");
  await session.referee.enter({ mode: "Ω₁ᴾ", ctx: "Add slugify(text)" });
  await session.playTo("ℜᴳ");
});

verifiesInCi(
  "CORE-87",
  "a frozen test that a session changes with its hooks removed fails GREEN all the same",
  async () => {
    const file = join(session.world.repository.dir, "test/slugify.test.js");
    const input = { tool_name: "Write", tool_input: { file_path: file, content: "" } };
    // No hook call binds this session, as if hooks were off.
    expect((await session.hook("PreToolUse:Write", input)).stdout).toBe("");
    const text = await readFile(file, "utf8");
    await writeFile(file, text.replace(/"hello-big-world"/u, "undefined"));
    await writeFile(join(session.world.repository.dir, "src/slugify.js"), "export function slugify() {}\n");
    await session.referee.report({ status: "GC", message: "green" });
    const standing = await session.referee.next();
    expect(standing).not.toMatchObject({ line: expect.stringContaining("ℜᶠ") });
    const gates = eventsOf(await session.events(), "gate.judged");
    const green = gates.findLast(({ gate }) => gate === "cycle_green");
    expect(green).toMatchObject({ verdict: "fail" });
    expect(JSON.stringify(green)).toContain("test/slugify.test.js");
  },
);
