/** One whole run with Claude Code as the only agent: how each isolated role is started, and what it can read. */
import { beforeAll, describe, expect, test } from "vitest";
import { readReview } from "../../src/gates/review/review.ts";
import { reviewFormats } from "../../src/gates/review/review-formats.ts";
import { verifies } from "../verifies.ts";
import { installStubClaude, type ClaudeCall } from "./stub-claude.ts";
import { createWorld, golden, untestedFiles, type CliResult, type World } from "./world.ts";

const phrase = "octarine-heron-58";
const spec = ".claude/temp/spec.md";
const architecture = ".claude/temp/architecture.md";
const workers = "Read,Write,Edit,Bash,Glob,Grep";

describe("a machine whose only agent is Claude Code, without any setting", () => {
  let world: World;
  let ended: CliResult;
  let calls: readonly ClaudeCall[];
  let project: readonly string[];
  beforeAll(async () => {
    world = await createWorld();
    project = Object.keys(await untestedFiles());
    const stub = await installStubClaude(world, await golden());
    const begin = ["run", "@orchestrate Add slugify(text)", "--approve", "plan,code", "--json"];
    // A variable of a Claude Code session, which must reach no agent.
    const env = { ...stub.env, CLAUDE_CODE_SESSION_ID: "of the caller" };
    const asked = await world.cli(begin, { env });
    expect(asked.code, asked.stderr).toBe(3);
    const { run } = asked.json() as { run: string };
    const answers = [1, 2, 3, 4, 5].map((n) => `Q${n}=not like ${phrase}`);
    ended = await world.cli(["answer", run, ...answers, "--json"], { env });
    calls = await stub.calls();
  });

  const of = (role: string, nth = 0): ClaudeCall => {
    const call = calls.filter((each) => each.role === role)[nth];
    if (!call) throw new Error(`${role} was not called ${nth + 1} times`);
    return call;
  };
  const flag = ({ argv }: ClaudeCall, name: string) => argv[argv.indexOf(name) + 1];

  test("is driven to a proven result, and its reviews are marked as same-vendor", () => {
    expect(ended.code, `${ended.stdout}\n${ended.stderr}`).toBe(0);
    expect(ended.json()).toMatchObject({ status: "complete" });
    expect(ended.stderr).toContain("same-vendor review");
    expect(String(ended.json()["state_line"])).toContain("[Claude 1: 1/3] [Claude 2: 1/3]");
  });

  test("every role that may run commands gets the test command of this project", () => {
    for (const call of [of("tester"), of("coder"), of("claude", 2)])
      expect(call.prompt).toContain("with `node --test`");
  });

  verifies(
    "ORC-25",
    "gate 1's second reviewer is a fresh claude -p with its tools, opus and its five points",
    () => {
      const call = of("claude", 0);
      expect(call.argv).toContain("--print");
      expect(flag(call, "--allowedTools")).toBe("Read,Glob,Grep,Write");
      expect(flag(call, "--model")).toBe("opus");
      expect(call.argv).toContain("--session-id");
      for (const point of [
        "Requirements completeness",
        "Architecture feasibility",
        "TDD strategy",
        "Edge cases",
        "Security",
        "Be harsh",
        ".claude/temp/plan-review.md",
        "\nVERDICT:",
        "\nISSUES:",
        "\nSUGGESTIONS:",
      ])
        expect(call.prompt).toContain(point);
    },
  );

  verifies(
    "ORC-28",
    "gate 2's isolated Claude gets spec, tests and RED output, and its four fields are read",
    () => {
      const call = of("claude", 1);
      expect(call.argv).toContain("--print");
      expect(flag(call, "--allowedTools")).toBe("Read,Glob,Grep,Write,Bash");
      expect(call.files).toEqual(
        expect.arrayContaining([spec, "test/slugify.test.js", ".claude/temp/test_output.txt"]),
      );
      for (const part of [
        ".claude/temp/test-review.md",
        "\nVERDICT:",
        "\nRED_PHASE_VALID:",
        "\nCOVERAGE:",
        "\nISSUES:",
      ])
        expect(call.prompt).toContain(part);
      const answer = (valid: string) =>
        readReview(
          {
            answer: "",
            file: `VERDICT: APPROVED\nRED_PHASE_VALID: ${valid}\nCOVERAGE:\n- FR1: covered\nISSUES: none\n`,
            reported: "APPROVED",
          },
          reviewFormats["tests-claude"],
        );
      expect(answer("YES")).toMatchObject({ type: "verdict", verdict: "APPROVED" });
      expect(answer("MAYBE")).toMatchObject({ type: "inconclusive" });
    },
  );

  verifies(
    "ORC-32",
    "gate 3's isolated Claude gets source, runnable tests and no document or conversation",
    async () => {
      const call = of("claude", 2);
      expect(call.argv).toContain("--print");
      expect(flag(call, "--allowedTools")).toBe("Read,Glob,Grep,Write,Bash");
      const files = [...project, "src/slugify.js", "test/slugify.test.js"];
      expect([...call.files].sort()).toEqual(files.sort());
      expect(call.argv).toContain("--session-id");
      for (const text of [await written("spec"), await written("architecture"), phrase])
        expect(call.prompt).not.toContain(text);
      for (const part of [
        "quality",
        "OWASP top 10",
        "coverage gaps",
        "Edge cases",
        "bugs",
        "Performance",
        ".claude/temp/code-review.md",
        "\nVERDICT:",
        "\nEXIT_CODE:",
        "\nCRITICAL_ISSUES:",
        "\nWARNINGS:",
        "\nSUGGESTIONS:",
      ])
        expect(call.prompt).toContain(part);
      const file =
        "VERDICT: APPROVED\nEXIT_CODE: 0\nCRITICAL_ISSUES: none\nWARNINGS: none\nSUGGESTIONS: none\n";
      expect(
        readReview({ answer: "", file, reported: "APPROVED" }, reviewFormats["code-claude"]),
      ).toMatchObject({
        type: "verdict",
        verdict: "APPROVED",
      });
    },
  );

  verifies(
    "ORC-56",
    "the test writer is a fresh claude -p that can read project, spec and architecture only",
    () => {
      const call = of("tester");
      expect(call.argv).toContain("--print");
      expect(call.argv).toContain("--session-id");
      expect(flag(call, "--allowedTools")).toBe(workers);
      expect(call.prompt).toContain("from the TDD Strategy section of the architecture, in test/, tests/");
      expect([...call.files].sort()).toEqual([...project, spec, architecture].sort());
      expect(call.prompt).not.toContain(phrase);
    },
  );

  verifies(
    "ORC-57",
    "the implementer is a fresh claude -p that can read the four inputs and nothing of the others",
    () => {
      const call = of("coder");
      expect(call.argv).toContain("--print");
      expect(flag(call, "--allowedTools")).toBe(workers);
      const inputs = [spec, architecture, "test/slugify.test.js", ".claude/temp/test_output.txt"];
      expect([...call.files].sort()).toEqual([...project, ...inputs].sort());
      const sessions = ["intake", "planner", "tester", "coder", "claude"].map((role) =>
        flag(of(role), "--session-id"),
      );
      expect(new Set(sessions).size).toBe(sessions.length);
      expect(call.prompt).not.toContain(phrase);
      expect(call.configured).toEqual(["mettle-mcp.json"]);
    },
  );

  verifies(
    "CORE-52",
    "each isolated role has its own configuration home, its prompt in no argument, and only the caller's login",
    () => {
      const homes = new Map(["gemini", "claude", "tester", "coder"].map((role) => [role, of(role)]));
      expect(new Set([...homes.values()].map(({ config }) => config)).size).toBe(4);
      for (const { configured, argv, env, prompt } of homes.values()) {
        expect(prompt.length).toBeGreaterThan(500);
        expect(argv.filter((argument) => argument.length > 200)).toEqual([]);
        expect(configured.filter((file) => file !== "mettle-mcp.json")).toEqual([]);
        expect(argv).toEqual(expect.arrayContaining(["--setting-sources=", "--strict-mcp-config"]));
        expect(
          Object.keys(env).filter((name) => /CLAUDE_CODE_SESSION|^CLAUDECODE$|METTLE_HOME/u.test(name)),
        ).toEqual([]);
      }
    },
  );
});

/** The document as the cassette's role writes it. */
async function written(name: "spec" | "architecture"): Promise<string> {
  const { roles } = await golden();
  const turns = [...roles.intake, ...roles.planner];
  const write = turns
    .flatMap(({ does = [] }) => does)
    .map((act) => act["write"] as { path: string; content: string } | undefined)
    .find((each) => each?.path.endsWith(`${name}.md`));
  if (!write) throw new Error(`the golden cassette writes ${name}.md`);
  return write.content;
}
