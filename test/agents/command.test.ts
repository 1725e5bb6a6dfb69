// @module-tag ci
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test, vi } from "vitest";
import { commandAgent } from "../../src/agents/command/adapter.ts";
import { newFolder } from "../support/folder.ts";
import { verifies } from "../verifies.ts";
import { agentContract, specIn, type AgentStage } from "./contract.ts";

const program = fileURLToPath(new URL("program.mjs", import.meta.url));

async function stageWith(more: readonly string[]): Promise<AgentStage> {
  const folder = newFolder();
  const acts = join(folder, "acts.json");
  const received = join(folder, "heard.txt");
  return {
    agent: commandAgent({
      name: "mine",
      vendor: "me",
      run: [process.execPath, program, acts, received, ...more],
      env: {},
      path: process.env["PATH"] ?? "",
    }),
    patienceMs: 1500,
    prepare: (list) => writeFile(acts, JSON.stringify(list)),
    received: () => readFile(received, "utf8"),
  };
}

agentContract("command", () => stageWith([]));

describe("a custom program", () => {
  test("can receive its prompt in a file", async () => {
    const stage = await stageWith(["{prompt}"]);
    const cwd = newFolder();
    await stage.prepare([{ say: "read" }], cwd);
    const spec = specIn({ root: cwd, cwd, given: { prompt: "from the file" } });
    const outcome = await stage.agent.start(spec, () => undefined, new AbortController().signal);
    expect(outcome).toEqual({ type: "ok", text: "read\n" });
    expect(await stage.received()).toBe("from the file");
  });

  verifies(
    "CORE-52",
    "reads a prompt of 2 MB, and sees nothing of the session in which Mettle was started",
    async () => {
      const session = {
        CLAUDECODE: "1",
        CLAUDE_CODE_ENTRYPOINT: "cli",
        METTLE_DISPATCH: "other:1",
        SECRET_OF_PARENT: "x",
      };
      for (const [name, value] of Object.entries(session)) vi.stubEnv(name, value);
      const script =
        "let n = 0; for await (const c of process.stdin) n += c.length; console.log(JSON.stringify({ n, argv: process.argv, env: process.env }));";
      const agent = commandAgent({
        name: "mine",
        vendor: "me",
        run: [process.execPath, "--input-type=module", "-e", script],
        env: { MINE: "handed on" },
        path: "",
      });
      const cwd = newFolder();
      const prompt = "x".repeat(2 << 20);
      const spec = specIn({ root: cwd, cwd, given: { prompt, wallMs: 20_000 } });
      const outcome = await agent.start(spec, () => undefined, new AbortController().signal);
      vi.unstubAllEnvs();
      await rm(cwd, { recursive: true, force: true });
      expect(outcome.type).toBe("ok");
      const { n, argv, env } = JSON.parse(outcome.text) as {
        n: number;
        argv: string[];
        env: Record<string, string>;
      };
      expect([n, argv.length]).toEqual([2 << 20, 1]);
      expect(env).toMatchObject({ HOME: join(cwd, "home"), MINE: "handed on", METTLE_ROLE: "coder" });
      expect(Object.keys(env).filter((key) => Object.keys(session).includes(key))).toEqual([]);
    },
  );

  test("that does not exist is missing, with the setting to fix", async () => {
    const agent = commandAgent({
      name: "mine",
      vendor: "me",
      run: ["no-such-program"],
      env: {},
      path: "/usr/bin",
    });
    expect(await agent.probe()).toEqual({
      type: "missing",
      why: "no-such-program is not installed (not on PATH)",
      hint: "install it, or correct `agents.commands.mine.run` in mettle.yaml",
    });
  });
});
