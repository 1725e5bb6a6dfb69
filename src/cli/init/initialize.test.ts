import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { parse } from "yaml";
import { newFolder } from "../../../test/support/folder.ts";
import { verifies } from "../../../test/verifies.ts";
import { optionsIn } from "./fixtures/place.ts";
import { initRepository, removeInit, type InitOptions } from "./initialize.ts";

let base = "";
let root = "";
beforeEach(() => {
  base = newFolder();
  root = join(base, "repository");
  mkdirSync(root);
  execFileSync("git", ["init", "-q", root]);
});

const wholeFiles = [
  "mettle.yaml",
  ".mettle/settings.schema.json",
  ".mettle/protocols/README.md",
  ".mettle/templates/README.md",
  ".claude/commands/orchestrate.md",
  ".claude/agents/coder.md",
  ".claude/agents/fresh-reviewer.md",
  ".claude/agents/intake.md",
  ".claude/agents/planner.md",
];
/** Files of Envoy, for every protocol whose agents Mettle starts. */
const envoyFiles = [
  ".claude/commands/continue.md",
  ".claude/commands/plan.md",
  ".claude/agents/surveyor.md",
  ".claude/agents/worker.md",
];
const settings = ".claude/settings.local.json";
const beforeTools =
  "^(Agent|AskUserQuestion|Bash|Edit|ExitPlanMode|MultiEdit|NotebookEdit|Task|Write|mcp__.*mettle.*__(enter|next|start))$";
const afterTools = "AskUserQuestion|ExitPlanMode|mcp__.*mettle.*__(enter|next|report|handoff)";
const everything = [...wholeFiles, ...envoyFiles, settings, ".gitignore"];

const options = (more: Partial<InitOptions> = {}) => optionsIn(base, more);

function put(path: string, text: string, below = root): void {
  mkdirSync(dirname(join(below, path)), { recursive: true });
  writeFileSync(join(below, path), text);
}

function text(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

/** Path -> hash of everything below a folder but .git; folders count too. */
function snapshot(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const own = names.filter((name) => !/(^|\/)\.git(\/|$)/u.test(name));
  return Object.fromEntries(
    own.sort().map((name) => {
      const place = join(folder, name);
      return [
        name,
        lstatSync(place).isFile() ? createHash("sha256").update(readFileSync(place)).digest("hex") : "folder",
      ];
    }),
  );
}

function isIgnored(path: string): boolean {
  return spawnSync("git", ["-C", root, "check-ignore", "-q", path]).status === 0;
}

verifies(
  "ORC-14",
  "init in an empty repository writes the six files and the ignore rule, and ignores none of them",
  async () => {
    const report = await initRepository(options());
    expect(report).toMatchObject({ written: everything, kept: [], removed: [] });
    for (const path of [...wholeFiles.slice(4), settings])
      expect([path, existsSync(join(root, path)), isIgnored(path)]).toEqual([path, true, false]);
    expect(isIgnored(".claude/temp/x")).toBe(true);
    expect(isIgnored(".claude/plans/x")).toBe(true);
    const call = [{ type: "command", command: "mettle hook" }];
    expect(JSON.parse(text(settings))).toEqual({
      hooks: {
        SessionStart: [{ hooks: call }],
        UserPromptSubmit: [{ hooks: call }],
        PreToolUse: [{ matcher: beforeTools, hooks: call }],
        PostToolUse: [{ matcher: afterTools, hooks: call }],
        PreCompact: [{ hooks: call }],
        Stop: [{ hooks: call }],
      },
    });
  },
);

verifies(
  "ORC-15",
  "a second init changes nothing, and a user's file of the same name is kept byte for byte",
  async () => {
    put(".claude/agents/coder.md", "mine\r\n");
    const first = await initRepository(options());
    expect(first.kept).toEqual([".claude/agents/coder.md"]);
    expect(text(".claude/agents/coder.md")).toBe("mine\r\n");
    const before = snapshot(base);
    expect(await initRepository(options())).toMatchObject({ written: [], kept: everything });
    expect(snapshot(base)).toEqual(before);
  },
);

test("a schema of an older version is updated, and one that the user changed is not", async () => {
  const path = ".mettle/settings.schema.json";
  await initRepository(options());
  const now = text(path);
  const list = join(base, "home", "mettle", "id", "init.json");
  const written = JSON.parse(readFileSync(list, "utf8"));
  written.files[path] = `sha256:${createHash("sha256").update("{}").digest("hex")}`;
  writeFileSync(list, JSON.stringify(written));
  put(path, "{}");
  expect(await initRepository(options())).toMatchObject({ written: [path] });
  expect(text(path)).toBe(now);
  expect(await initRepository(options())).toMatchObject({ written: [] });
  put(path, "{ }");
  expect(await initRepository(options())).toMatchObject({ written: [] });
  expect(text(path)).toBe("{ }");
  put(path, now);
  await removeInit(options());
  expect(existsSync(join(root, path))).toBe(false);
});

const theirs = `{
    "model": "opus",
    "hooks": {
        "Stop": [{ "hooks": [{ "type": "command", "command": "say done" }] }],
        "PreToolUse": [{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "guard", "timeout": 5 }] }]
    },
    "permissions": { "allow": ["Bash(ls:*)"] }
}`;

verifies(
  "ORC-15",
  "keys and hooks in the settings survive the merge; invalid settings are refused and left alone",
  async () => {
    put(settings, theirs);
    await initRepository(options());
    const merged = JSON.parse(text(settings));
    const before = JSON.parse(theirs);
    const call = [{ type: "command", command: "mettle hook" }];
    expect(merged).toEqual({
      ...before,
      hooks: {
        Stop: [...before.hooks.Stop, { hooks: call }],
        PreToolUse: [...before.hooks.PreToolUse, { matcher: beforeTools, hooks: call }],
        SessionStart: [{ hooks: call }],
        PostToolUse: [{ matcher: afterTools, hooks: call }],
        PreCompact: [{ hooks: call }],
        UserPromptSubmit: [{ hooks: call }],
      },
    });
    expect(text(settings)).toMatch(/^\{\n {4}"model"/u);

    for (const invalid of ['{ "hooks": {', "[]", '{"hooks": {"Stop": "x"}}']) {
      const fresh = join(base, `other-${invalid.length}`);
      put(settings, invalid, fresh);
      const refused = initRepository(options({ root: fresh, state: join(base, "other-home") }));
      await expect(refused).rejects.toMatchObject({ code: "settings_invalid", exitCode: 2 });
      expect(snapshot(fresh)).toEqual({
        ".claude": "folder",
        [settings]: createHash("sha256").update(invalid).digest("hex"),
      });
      expect(existsSync(join(base, "other-home"))).toBe(false);
    }
  },
);

function frontMatter(path: string): unknown {
  return parse(/^---\n([\s\S]*?)\n---\n/u.exec(text(path))?.[1] ?? "");
}

verifies("ORC-16", "fresh-reviewer.md grants no tools and calls itself a reference", async () => {
  await initRepository(options());
  expect(frontMatter(".claude/agents/fresh-reviewer.md")).toMatchObject({
    name: "fresh-reviewer",
    tools: [],
  });
  expect(text(".claude/agents/fresh-reviewer.md")).toContain("This file is a reference. It grants no tools");
});

verifies("ORC-04", "a model cannot call the slash command", async () => {
  await initRepository(options());
  expect(frontMatter(".claude/commands/orchestrate.md")).toMatchObject({ "disable-model-invocation": true });
  expect(text(".claude/commands/orchestrate.md")).toContain("$ARGUMENTS");
});

test("ORC-55, its session files: each has the directive and none a hallucination rate", async () => {
  await initRepository(options());
  const directive = readFileSync("protocols/orchestrate/templates/honesty.md", "utf8").trim();
  for (const path of wholeFiles.slice(4)) {
    expect(text(path)).toContain(directive);
    expect(text(path)).not.toMatch(/\d ?%|\{\{/u);
  }
});

interface Fixture {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly agents?: readonly string[];
  readonly found: { readonly languages: readonly string[]; readonly runners: readonly string[] };
}

const fixtures: readonly Fixture[] = [
  {
    name: "JavaScript with node:test",
    files: {
      "package.json": `{"scripts":{"test":"node --test"}}`,
      "src/a.js": "",
      "test/a.test.js": `import test from "node:test";`,
    },
    agents: ["claude", "gemini"],
    found: { languages: ["JavaScript"], runners: ["node:test"] },
  },
  {
    name: "TypeScript with vitest",
    files: {
      "package.json": `{"devDependencies":{"vitest":"4"}}`,
      "tsconfig.json": "{}",
      "src/a.ts": "",
      "CLAUDE.md": "mine",
    },
    agents: ["codex"],
    found: { languages: ["TypeScript"], runners: ["vitest"] },
  },
  {
    name: "jest beside vitest, with settings and ignore rules",
    files: {
      "package.json": `{"dependencies":{"jest":"30"}}`,
      "vitest.config.js": "",
      ".gitignore": "node_modules\n.claude/temp/\nlast",
      ".claude/settings.local.json": theirs,
    },
    found: { languages: ["JavaScript"], runners: ["vitest", "jest"] },
  },
  {
    name: "Python with pytest",
    files: { "pyproject.toml": "[tool.pytest.ini_options]\n", "tests/test_a.py": "def test_a(): pass\n" },
    found: { languages: ["Python"], runners: ["pytest"] },
  },
  {
    name: "Go",
    files: { "go.mod": "module x\n", "a.go": "package x\n" },
    found: { languages: ["Go"], runners: ["go"] },
  },
  {
    name: "Rust",
    files: { "Cargo.toml": "[package]\n", "src/lib.rs": "" },
    found: { languages: ["Rust"], runners: ["cargo"] },
  },
  {
    name: "a workspace of two languages with a README of CRLF rules",
    files: {
      "package.json": `{"workspaces":["packages/*"]}`,
      "packages/a/a.test.mjs": `import { test } from 'node:test';`,
      "services/b/requirements.txt": "pytest==8\n",
      ".gitignore": "dist\r\n",
      "mettle.yaml": "version: 1\n",
    },
    agents: ["opencode"],
    found: { languages: ["JavaScript", "Python"], runners: ["node:test", "pytest"] },
  },
];

for (const fixture of fixtures) {
  verifies("CORE-81", `init detects and sets up: ${fixture.name}`, async () => {
    for (const [path, content] of Object.entries(fixture.files)) put(path, content);
    for (const name of fixture.agents ?? []) {
      put(`bin/${name}`, "#!/bin/sh\ntouch started\n", base);
      chmodSync(join(base, "bin", name), 0o755);
    }
    put("bin/claude.txt", "", base);
    const before = snapshot(base);

    const dry = await initRepository(options({ dryRun: true }));
    expect(snapshot(base)).toEqual(before);

    const report = await initRepository(options());
    expect(report.found).toMatchObject({ ...fixture.found, agents: fixture.agents ?? [] });
    expect(report).toEqual(dry);
    const after = snapshot(root);
    for (const path of everything) expect(after).toHaveProperty([path]);
    const changed = Object.keys(fixture.files).filter((path) => after[path] !== before[`repository/${path}`]);
    expect(changed.filter((path) => path !== ".gitignore" && path !== settings)).toEqual([]);
    for (const line of (fixture.files[".gitignore"] ?? "").split(/\r?\n/u))
      expect(text(".gitignore").split(/\r?\n/u)).toContain(line);

    const settled = snapshot(base);
    expect((await initRepository(options())).written).toEqual([]);
    expect(snapshot(base)).toEqual(settled);
  });

  verifies("CORE-101", `init --remove restores the tree and the home: ${fixture.name}`, async () => {
    for (const [path, content] of Object.entries(fixture.files)) put(path, content);
    mkdirSync(join(root, ".claude", "agents"), { recursive: true });
    const before = snapshot(base);
    await initRepository(options());
    const initialised = snapshot(base);

    const dry = await removeInit(options({ dryRun: true }));
    expect(snapshot(base)).toEqual(initialised);
    const report = await removeInit(options());
    expect(report).toEqual(dry);
    expect(report.removed.length).toBeGreaterThan(7);
    expect(snapshot(base)).toEqual(before);
  });
}

verifies(
  "CORE-101",
  "init --remove keeps and lists what the user changed, and removes only its own lines from shared files",
  async () => {
    await initRepository(options());
    put("mettle.yaml", "version: 1\n# mine\n");
    put(".gitignore", `${text(".gitignore")}mine\n`);
    const hooked = JSON.parse(text(settings));
    put(settings, JSON.stringify({ ...hooked, model: "x" }));
    const report = await removeInit(options());
    expect(report.kept).toEqual(["mettle.yaml"]);
    expect(text(".gitignore")).toBe("mine\n");
    expect(JSON.parse(text(settings))).toEqual({ model: "x" });
    expect(Object.keys(snapshot(root))).toEqual([".claude", settings, ".gitignore", "mettle.yaml"]);
  },
);

test("init --remove works in another clone, without the list of what init wrote", async () => {
  put("test/a.test.js", `import "node:test";`);
  await initRepository(options());
  const report = await removeInit(options({ state: join(base, "elsewhere") }));
  expect(report).toMatchObject({ kept: [], removed: everything });
  expect(Object.keys(snapshot(root))).toEqual(["test", "test/a.test.js"]);
});

test("after an init that extended an earlier one, remove leaves nothing of either", async () => {
  put(settings, `{"model":"x"}`);
  await initRepository(options());
  const { hooks, ...others } = JSON.parse(text(settings));
  put(settings, JSON.stringify({ ...others, hooks: { Stop: hooks.Stop } }));
  rmSync(join(root, "mettle.yaml"));
  expect((await initRepository(options())).written).toEqual(["mettle.yaml", settings]);
  await removeInit(options());
  expect(JSON.parse(text(settings))).toEqual({ model: "x" });
  expect(Object.keys(snapshot(root))).toEqual([".claude", settings]);
});

test("a link out of the repository is not written through", async () => {
  mkdirSync(join(base, "outside"));
  symlinkSync(join(base, "outside"), join(root, ".claude"));
  await expect(initRepository(options())).rejects.toMatchObject({ code: "usage" });
  expect(readdirSync(join(base, "outside"))).toEqual([]);
  expect(existsSync(join(root, "mettle.yaml"))).toBe(false);
});
