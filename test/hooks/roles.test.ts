/** What a session's tools may do for the role of the open dispatch, through `mettle hook`. */
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { inCi, verifies, verifiesInCi } from "../verifies.ts";
import { wide } from "../wide.ts";
import { openSession, type DispatchStep, type HookSession } from "./session.ts";

const test1 = "test/slugify.test.js";
const source = "src/slugify.js";
let session: HookSession;
let at: DispatchStep;

beforeAll(async () => {
  session = await openSession("riper", { "memory-bank/protection.md": "src/words.js\nlegacy/**\n" });
  await session.referee.enter({ mode: "Ω₁ᴾ", ctx: "Add slugify(text)" });
  await session.bind();
  at = await session.playTo("ℜ");
});

const tool = async (tool_name: string, tool_input: object, more = {}) =>
  (await session.hook("PreToolUse:Write", { tool_name, tool_input, ...more })).denied;
const write = (path: string) => tool("Write", { file_path: join(session.world.repository.dir, path) });
const edit = (path: string) => tool("Edit", { file_path: path, old_string: "a", new_string: "b" });
const shell = (command: string) => tool("Bash", { command, description: "d" });
const subAgent = (subagent_type: string, prompt: string) =>
  tool("Agent", { description: "d", subagent_type, prompt });

/** Different forms of a write to the frozen test. */
const shellForms: readonly string[] = [
  `echo > ${test1}`,
  `echo x >> ${test1}`,
  `cat > ${test1} <<'EOF'\nx\nEOF`,
  `true | tee ${test1}`,
  `sed -i s/a/b/ ${test1}`,
  `perl -pi -e s/a/b/ ${test1}`,
  `cp README.md ${test1}`,
  `mv ${test1} /tmp/gone`,
  `rm -rf test`,
  `truncate -s 0 ${test1}`,
  `dd if=/dev/null of=${test1}`,
  `ln -sf ../README.md ${test1}`,
  `git checkout HEAD -- ${test1}`,
  `git stash`,
  `bash -c "cd test && echo > slugify.test.js"`,
  `python3 -c "open('${test1}', 'w').write('')"`,
  `node -e 'require("fs").writeFileSync("${test1}", "")'`,
];

verifies("TDP-46", "in ℜ QA may write tests and nothing else", async () => {
  expect(await write(test1)).toBeNull();
  expect(await edit(test1)).toBeNull();
  expect(await shell(`echo > ${test1}`)).toBeNull();
  expect(await shell(`echo x > /tmp/elsewhere; node --test > /dev/null 2>&1`)).toBeNull();
  expect(await write(source)).toMatch(/QA writes tests, and this is source/u);
  expect(await shell(`echo > ${source}`)).toMatch(/QA writes tests/u);
  expect(await write("test/words.test.js")).toMatch(
    /the test files of this cycle are test\/slugify\.test\.js/u,
  );
});

verifies("TDP-45", "a role's sub-agent starts only with the exact line of the open dispatch", async () => {
  const prompt = (line: string) => `${line}\nYou are QA.`;
  expect(await subAgent("qa", at.prompt)).toBeNull();
  expect(await subAgent("qa", prompt(at.line))).toBeNull();
  const sid = /S(TDD_\w+)/u.exec(at.line)?.[1] ?? "none";
  const others = {
    "no line": "You are QA.",
    role: at.line.replace("QA", "DE"),
    S: at.line.replace(sid, "TDD_20200101T000000000Z_C1"),
    R: at.line.replace("R0", "R1"),
    C: at.line.replace("C1", "C2"),
    P: at.line.replace("P:ℜ", "P:ℜᶠᵗ"),
    CTX: at.line.replace("]", ",CTX:revise]"),
  };
  for (const [what, line] of Object.entries(others)) {
    expect(line, what).not.toBe(at.line);
    expect(await subAgent("qa", prompt(line)), what).toContain(`its first line must be ${at.line}`);
  }
  expect(await subAgent("de", prompt(at.line))).toContain(at.line);
  expect(await subAgent("general-purpose", "look around")).toBeNull();
  expect(await subAgent("my-own", prompt("DE[]"))).toBeNull();
});

test("a role's sub-agent may not use a separate worktree, where no gate would see its work", async () => {
  const qa = { description: "d", subagent_type: "qa", prompt: at.prompt, run_in_background: true };
  expect(await tool("Agent", qa)).toBeNull();
  expect(await tool("Agent", { ...qa, isolation: "worktree" })).toContain("start it without isolation");
  const own = { ...qa, subagent_type: "my-own", isolation: "worktree" };
  expect(await tool("Agent", own)).toBeNull();
});

test("RIP-01, its hook: a sub-agent of another mode is refused with both modes", async () => {
  for (const [agent, mode] of Object.entries({ plan: "Ω₃ᴾ", "plan-critic": "Ω₄ᶜ", review: "Ω₆ⱽ" })) {
    const denied = await subAgent(agent, at.prompt);
    expect(denied).toContain(`error[mode_mismatch]: the run is in Ω₅ᵀ, and ${agent} works in ${mode}`);
  }
});

verifies("RIP-03", "σ₆ applies to every role and to the session itself", async () => {
  expect(await write("src/words.js")).toMatch(/σ₆/u);
  expect(await shell("rm -rf legacy")).toMatch(/σ₆/u);
});

verifies("TDP-80", "a session begins with mode, sid, r, phase and the next line", async () => {
  const { context } = await session.hook("SessionStart", { session_id: "another", source: "compact" });
  const sid = /S(TDD_\w+)/u.exec(at.line)?.[1];
  expect(context).toContain(`mode Ω₅ᵀ, sid ${sid}, r 0, phase ℜ, next: ${at.line}`);
});

verifies("TDP-46", "a stop with an open dispatch is held once, and allowed the second time", async () => {
  const { held } = await session.hook("Stop");
  expect(held).toContain(at.line);
  expect(held).toMatch(/end it with the tool report[\s\S]*mettle abort/u);
  expect((await session.hook("Stop", { stop_hook_active: true })).stdout).toBe("");
  expect((await session.hook("Stop")).stdout).toBe("");
  expect((await session.hook("Stop:working")).stdout).toBe("");
});

verifies("TDP-46", "in ℜᴳ the tests are frozen for everyone", async () => {
  at = await session.playTo("ℜᴳ");
  for (const denied of [
    await write(test1),
    await edit(test1),
    await tool("NotebookEdit", { notebook_path: test1 }),
  ])
    expect(denied).toMatch(/frozen with the tests; if a test is wrong, report TI/u);
  expect(await tool("Write", { file_path: test1 }, { agent_id: "a1", agent_type: "helper" })).toMatch(
    /frozen/u,
  );
  expect(await write("package.json")).not.toBeNull();
  expect(await write(source)).toBeNull();
  expect(await shell(`echo > ${source} && node --test ${test1}`)).toBeNull();
});

verifies("CORE-87", "frozen files are refused by every recognised shell form, for each program", async () => {
  // shell-writes.test.ts tests the same forms without a process for each.
  for (const command of wide ? shellForms : shellForms.slice(0, 4))
    expect([command, await shell(command)]).toEqual([command, expect.stringMatching(/^Mettle: /u)]);
  const patch = `*** Begin Patch\n*** Update File: ${test1}\n@@\n-a\n+b\n*** End Patch`;
  const input = (name: string, tool_input: object, hook_event_name = "PreToolUse") =>
    JSON.stringify({
      session_id: session.id,
      cwd: session.world.repository.dir,
      hook_event_name,
      tool_name: name,
      tool_input,
    });
  const codex = ["--format", "codex"];
  expect((await session.pipe(input("apply_patch", { command: patch }), codex)).denied).toMatch(/frozen/u);
  expect((await session.pipe(input("Bash", { command: `rm ${test1}` }), codex)).denied).toMatch(/frozen/u);
  const gemini = async (name: string, tool_input: object) =>
    (await session.pipe(input(name, tool_input, "BeforeTool"), ["--format=gemini"])).stdout;
  const refused = { decision: "deny", reason: expect.stringMatching(/frozen/u) };
  expect(JSON.parse(await gemini("write_file", { file_path: test1, content: "" }))).toEqual(refused);
  expect(JSON.parse(await gemini("run_shell_command", { command: `rm ${test1}` }))).toEqual(refused);
  expect(await gemini("write_file", { file_path: source, content: "" })).toBe("");
});

test("the rules do not apply to a session that never called the referee, or to another repository", async () => {
  const foreign = { session_id: "foreign", tool_name: "Write", tool_input: { file_path: test1 } };
  expect((await session.hook("PreToolUse:Write", foreign)).stdout).toBe("");
  expect((await session.hook("Stop", { session_id: "foreign" })).stdout).toBe("");
  expect(
    (await session.hook("PreToolUse:Write", { tool_name: "Write", tool_input: { file_path: "/tmp/x" } }))
      .stdout,
  ).toBe("");
});

verifiesInCi("TDP-46", "in ℜᶠᵗ QA may write tests again, and in ℜᶠⁱ no role may", async () => {
  await session.playTo("ℜᶠᵗ");
  expect(await write(test1)).toBeNull();
  expect(await shell(`sed -i s/a/b/ ${test1}`)).toBeNull();
  expect(await write(source)).toMatch(/QA writes tests/u);
  await session.playTo("ℜᶠⁱ");
  expect(await write(test1)).toMatch(/frozen/u);
  expect(await shell(`echo > ${test1}`)).toMatch(/frozen/u);
  expect(await edit(test1)).toMatch(/frozen/u);
  expect(await write(source)).toBeNull();
});

inCi("an ended run refuses nothing", async () => {
  const { run } = await session.referee.status();
  expect((await session.world.cli(["abort", run ?? "", "--reason", "enough"])).code).toBe(1);
  expect(
    (await session.hook("PreToolUse:Write", { tool_name: "Write", tool_input: { file_path: test1 } })).stdout,
  ).toBe("");
  expect((await session.hook("SessionStart")).stdout).toBe("");
});
