/** The first gate of Orchestrate with Claude Code and Gemini installed: the reviewer is the real Gemini CLI. */
import { dirname } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { createWorld, golden, untestedFiles, type World } from "../orchestrate/world.ts";
import { installStubClaude } from "../orchestrate/stub-claude.ts";
import { startModelServer, type ModelServer } from "../support/model-server.ts";
import { withRealGemini } from "../support/real-agents.ts";

const marker = "octarine-heron-63";

withRealGemini("the first gate by the real Gemini CLI", (file) => {
  let world: World;
  let server: ModelServer;
  beforeAll(async () => {
    world = await createWorld({ ...(await untestedFiles()), "GEMINI.md": `Always say ${marker}.\n` });
    server = await startModelServer();
  });

  test("it is chosen by default, has no tools and no project memory, and its review is read", async () => {
    server.script([{ text: "VERDICT: APPROVED\nISSUES: none\nSUGGESTIONS: none\n→APPROVED: fine" }]);
    const stub = await installStubClaude(world, await golden());
    const env = {
      ...stub.env,
      PATH: `${dirname(file)}:${stub.env["PATH"] ?? ""}`,
      GEMINI_API_KEY: "dummy-key-of-the-test",
      GOOGLE_GEMINI_BASE_URL: server.url,
    };
    const started = await world.cli(["run", "@orchestrate Add slugify(text)", "--json"], { env });
    expect(started.code, started.stderr).toBe(3);
    const { run } = started.json() as { run: string };
    const answers = [1, 2, 3, 4, 5].map((n) => `Q${n}=as the task says`);
    const shown = await world.cli(["answer", run, ...answers, "--json"], { env });
    expect(shown.code, shown.stderr).toBe(3);
    expect(String(shown.json()["state_line"])).toContain("[Gemini: 1/3] [Claude: 1/3]");
    expect(shown.stderr).not.toContain("same-vendor review");
    expect(server.requests.map(({ model, tools }) => ({ model, tools }))).toEqual([
      { model: "gemini-2.5-pro", tools: [] },
    ]);
    expect(server.requests[0]?.body).not.toContain(marker);
  });
});
