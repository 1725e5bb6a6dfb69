/** Ω₁ᴾ played by Claude Code: how the designer is started, and what it reports. */
import { beforeAll, expect } from "vitest";
import { installStubClaude, type ClaudeCall } from "../orchestrate/stub-claude.ts";
import type { CliResult, CassetteFile, World } from "../orchestrate/world.ts";
import { verifies } from "../verifies.ts";
import { createCyclesWorld, oneCycle } from "./world.ts";

let world: World;
let ended: CliResult;
let calls: readonly ClaudeCall[];
beforeAll(async () => {
  world = await createCyclesWorld();
  const cassette = await oneCycle();
  cassette.roles.arch_critic = [{ report: { status: "REJECT", message: "the library does it already" } }];
  const stub = await installStubClaude(world, cassette as unknown as CassetteFile);
  const line = ["run", "Add slugify(text)", "--protocol", "riper", "--agent", "default=claude", "--json"];
  ended = await world.cli(line, { env: stub.env });
  calls = await stub.calls();
});

verifies("TDP-05", "Claude Code designs in its own plan mode, and its critic does not", () => {
  expect(ended.code, ended.stderr).toBe(1);
  const modes = calls.map(({ role, argv }) => [role, argv[argv.indexOf("--permission-mode") + 1]]);
  expect(modes).toEqual([
    ["designer", "plan"],
    ["arch_critic", "dontAsk"],
  ]);
  const [design] = calls;
  expect(design?.argv[design.argv.indexOf("--tools") + 1]).toBe("Read,Glob,Grep");
  expect(design?.argv).toContain("mcp__mettle");
  expect(design?.prompt).toMatch(/^Ω₁ᴾ\[\]\n/u);
});
