/** The designer of RIPER, played by the real Claude Code in plan mode with a scripted model. */
import { dirname } from "node:path";
import { beforeAll, expect } from "vitest";
import { createCyclesWorld, oneCycle } from "../cycles/world.ts";
import type { CassetteFile, World } from "../orchestrate/world.ts";
import { cassetteModel } from "../support/cassette-model.ts";
import { startModelServer, type ModelServer } from "../support/model-server.ts";
import { withRealClaude } from "../support/real-agents.ts";
import { verifies } from "../verifies.ts";

withRealClaude("Ω₁ᴾ by the real Claude Code", (file) => {
  let world: World;
  let server: ModelServer;
  beforeAll(async () => {
    world = await createCyclesWorld();
    server = await startModelServer();
  });

  verifies("TDP-05", "in plan mode it cannot write, and reports its design over MCP", async () => {
    const cassette = await oneCycle();
    const [design] = cassette.roles.designer;
    cassette.roles.designer = [
      { ...design, does: [{ write: { path: "design.md", content: "# Design\n" } }] },
    ];
    cassette.roles.arch_critic = [{ report: { status: "REJECT", message: "not needed" } }];
    server.scriptWith(cassetteModel(cassette as unknown as CassetteFile, "tool"));
    const ended = await world.cli(
      ["run", "Add slugify(text)", "--protocol", "riper", "--agent", "default=claude", "--json"],
      {
        env: {
          PATH: `${dirname(file)}:${process.env["PATH"] ?? ""}`,
          ANTHROPIC_BASE_URL: server.url,
          ANTHROPIC_API_KEY: "dummy-key-of-the-test",
        },
      },
    );
    expect(ended.code, `${ended.stdout}\n${ended.stderr}`).toBe(1);
    expect(ended.json()).toMatchObject({ status: "halted" });
    const log = (await world.cli(["log", String(ended.json()["run"])])).stdout;
    expect(log).toContain("design#1: its own rules denied Write");
    expect(log).toContain("design#1 -> PC: two modules");
    expect(log).not.toMatch(/reminded|rescued|denied mcp/u);
  });
});
