import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { commandAgent } from "../../src/agents/command/adapter.ts";
import { agentContract, specIn, type AgentStage } from "./contract.ts";

const program = fileURLToPath(new URL("program.mjs", import.meta.url));

async function stageWith(more: readonly string[]): Promise<AgentStage> {
  const folder = await mkdtemp(join(tmpdir(), "mettle-program-"));
  const acts = join(folder, "acts.json");
  const heard = join(folder, "heard.txt");
  return {
    agent: commandAgent({
      name: "mine",
      vendor: "me",
      run: [process.execPath, program, acts, heard, ...more],
      env: {},
      path: process.env["PATH"] ?? "",
    }),
    patienceMs: 1500,
    prepare: (list) => writeFile(acts, JSON.stringify(list)),
    heard: () => readFile(heard, "utf8"),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

agentContract("command", () => stageWith([]));

describe("a program of one's own", () => {
  test("can have its prompt in a file", async () => {
    const stage = await stageWith(["{prompt}"]);
    const cwd = await mkdtemp(join(tmpdir(), "mettle-program-cwd-"));
    await stage.prepare([{ say: "read" }], cwd);
    const spec = specIn({ root: cwd, cwd, given: { prompt: "from the file" } });
    const outcome = await stage.agent.start(spec, () => undefined, new AbortController().signal);
    expect(outcome).toEqual({ type: "ok", text: "read\n" });
    expect(await stage.heard()).toBe("from the file");
    await stage.remove();
    await rm(cwd, { recursive: true, force: true });
  });

  test("that is not there is missing, with the setting to mend", async () => {
    const agent = commandAgent({
      name: "mine",
      vendor: "me",
      run: ["no-such-program"],
      env: {},
      path: "/usr/bin",
    });
    expect(await agent.probe()).toEqual({
      type: "missing",
      why: "there is no program no-such-program",
      hint: "install it, or mend `agents.commands.mine.run` in mettle.yaml",
    });
  });
});
