/** `init` for riper and dptr: slash commands, sub-agents, hooks and the server of the user's own session. */
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { parse } from "yaml";
import { newFolder } from "../../../test/support/folder.ts";
import { parseSettings } from "../../config/settings.ts";
import { verifies } from "../../../test/verifies.ts";
import { optionsIn, snapshot } from "./fixtures/place.ts";
import { initRepository, removeInit, type InitOptions } from "./initialize.ts";
import { writePlugin } from "./plugin.ts";

let base = "";
let root = "";
beforeEach(() => {
  base = newFolder();
  root = join(base, "repository");
  put("README.md", "mine\n");
});

function options(wire: "riper" | "dptr" = "riper", more: Partial<InitOptions> = {}): InitOptions {
  return optionsIn(base, {
    bank: { protection: wire === "riper" },
    session: { protocol: wire, wire },
    ...more,
  });
}

function put(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function text(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

function frontMatter(content: string): Readonly<Record<string, string>> {
  return parse(/^---\n([\s\S]*?)\n---\n/u.exec(content)?.[1] ?? "") as Record<string, string>;
}

const roles = ["arch-critic", "de", "design", "plan-critic", "plan", "qa", "review"];
const commands = ["arch-critic", "p", "plan-critic", "rev", "tdd-execute"];
const server = { command: "mettle", args: ["mcp"] };
const files = (names: readonly string[]) => names.map((name) => `${name}.md`).toSorted();

test("DPT-03, its init part: riper has six slash commands and a file per role; dptr has no hand-off and no σ₆", async () => {
  await initRepository(options("riper"));
  expect(readdirSync(join(root, ".claude/commands")).toSorted()).toEqual(files([...commands, "handoff"]));
  expect(readdirSync(join(root, ".claude/agents")).toSorted()).toEqual(files(roles));
  expect(JSON.parse(text(".mcp.json"))).toEqual({ mcpServers: { mettle: server } });
  expect(parseSettings(text("mettle.yaml")).session).toEqual({ protocol: "riper" });
  expect(text(".claude/commands/arch-critic.md")).toContain("Λ₁");
  await removeInit(options());
  await initRepository(options("dptr"));
  expect(readdirSync(join(root, ".claude/commands")).toSorted()).toEqual(files(commands));
  expect(text(".claude/commands/arch-critic.md")).not.toContain("Λ");
  expect(existsSync(join(root, "memory-bank/protection.md"))).toBe(false);
  expect(parseSettings(text("mettle.yaml")).session).toEqual({ protocol: "dptr" });
});

test("a sub-agent has the tools of its role's template, and the dialogue where its role has one", async () => {
  await initRepository(options());
  for (const role of roles) {
    const { name, tools = "" } = frontMatter(text(`.claude/agents/${role}.md`));
    const template = frontMatter(readFileSync(`protocols/dptr/templates/${role}.md`, "utf8"));
    const speaks = readFileSync(`protocols/dptr/templates/${role}.md`, "utf8").includes("{{> dialogue}}");
    const own = (template["tools"] ?? "").split(",");
    const dialogue = speaks ? ["mcp__mettle__observe", "mcp__mettle__query"] : [];
    expect([name, tools.split(", ")]).toEqual([role, [...own, ...dialogue]]);
    expect(text(`.claude/agents/${role}.md`)).not.toMatch(/\{\{/u);
  }
});

const theirHooks = `{\n\t"hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "say done" }] }] },\n\t"model": "opus"\n}`;
const theirServers = `{\n    "mcpServers": {\n        "other": { "command": "other", "env": {} }\n    }\n}`;

verifies(
  "TDP-64",
  "the user's hooks, servers and agent stay, the agent is listed as kept, a second init changes nothing, remove restores every byte",
  async () => {
    put(".claude/settings.local.json", theirHooks);
    put(".mcp.json", theirServers);
    put(".claude/agents/plan.md", "mine\r\n");
    for (const wire of ["riper", "dptr"] as const) {
      const before = snapshot(base);
      const first = await initRepository(options(wire));
      expect(first.kept).toEqual([".claude/agents/plan.md"]);
      expect(text(".claude/agents/plan.md")).toBe("mine\r\n");
      const settings = JSON.parse(text(".claude/settings.local.json"));
      expect(settings).toMatchObject({ model: "opus" });
      expect(settings.hooks.Stop).toEqual([
        ...JSON.parse(theirHooks).hooks.Stop,
        { hooks: [{ type: "command", command: "mettle hook" }] },
      ]);
      expect(Object.keys(settings.hooks).toSorted()).toEqual([
        "PostToolUse",
        "PreCompact",
        "PreToolUse",
        "SessionStart",
        "Stop",
        "UserPromptSubmit",
      ]);
      expect(JSON.parse(text(".mcp.json"))).toEqual({
        mcpServers: { ...JSON.parse(theirServers).mcpServers, mettle: server },
      });
      const settled = snapshot(base);
      const second = await initRepository(options(wire));
      expect(second).toMatchObject({ written: [] });
      expect(second.kept).toContain(".claude/agents/plan.md");
      expect(snapshot(base)).toEqual(settled);
      await removeInit(options(wire));
      expect(snapshot(base)).toEqual(before);
    }
  },
);

verifies("TDP-64", "a user's server with Mettle's name is kept, also by remove", async () => {
  const own = `{"mcpServers":{"mettle":{"command":"my-mettle"}}}`;
  put(".mcp.json", own);
  expect((await initRepository(options())).kept).toEqual([".mcp.json"]);
  await removeInit(options());
  expect(text(".mcp.json")).toBe(own);
});

test("a list of servers that is no JSON is refused before anything is written", async () => {
  for (const broken of ["{", "[]", '{"mcpServers":[]}']) {
    put(".mcp.json", broken);
    const before = snapshot(base);
    await expect(initRepository(options())).rejects.toMatchObject({ code: "settings_invalid" });
    expect(snapshot(base)).toEqual(before);
  }
});

test("in another clone remove deletes the files of riper and dptr too", async () => {
  for (const wire of ["riper", "dptr"] as const) {
    const before = snapshot(root);
    await initRepository(options(wire));
    await removeInit(options(wire, { state: join(base, "other") }));
    expect(snapshot(root)).toEqual(before);
  }
});

test("the same files are written as a plugin, with its name in the tools; existing files are kept", async () => {
  const folder = join(base, "plugin");
  const wish = {
    folder,
    shipped: "protocols",
    session: { protocol: "riper", wire: "riper" as const },
    version: "1.2.3",
    dryRun: false,
  };
  expect((await writePlugin({ ...wish, dryRun: true })).written).toHaveLength(17);
  expect(existsSync(folder)).toBe(false);
  await writePlugin(wish);
  const read = (path: string) => readFileSync(join(folder, path), "utf8");
  expect(JSON.parse(read(".claude-plugin/plugin.json"))).toMatchObject({ name: "mettle", version: "1.2.3" });
  expect(JSON.parse(read(".mcp.json"))).toEqual({ mcpServers: { mettle: server } });
  await initRepository(options());
  expect(JSON.parse(read("hooks/hooks.json"))).toEqual(JSON.parse(text(".claude/settings.local.json")));
  expect(read("commands/p.md")).toBe(text(".claude/commands/p.md"));
  expect(frontMatter(read("agents/qa.md"))["tools"]).toMatch(/mcp__plugin_mettle_mettle__observe/u);
  const before = snapshot(folder);
  expect(await writePlugin(wish)).toMatchObject({ written: [] });
  expect(snapshot(folder)).toEqual(before);
});
