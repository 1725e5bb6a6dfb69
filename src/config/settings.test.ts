import { controlsOfRun } from "./controls-schema.ts";
import { execFileSync } from "node:child_process";
import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { newFolder } from "../../test/support/folder.ts";
import { verifies } from "../../test/verifies.ts";
import { AppError } from "../lib/errors.ts";
import { defaultSettings, loadSettings, parseSettings, Settings, settingsJsonSchema } from "./settings.ts";

let root: string;
beforeEach(() => void (root = newFolder()));

function refusal(text: string | Uint8Array): { code: string; exit: number; lines: string[] } {
  try {
    parseSettings(text);
  } catch (error) {
    if (error instanceof AppError)
      return { code: error.code, exit: error.exitCode, lines: error.message.split("\n  ") };
    throw error;
  }
  throw new Error("accepted");
}

test("a repository without mettle.yaml has the defaults", async () => {
  const settings = await loadSettings(root);
  expect(settings).toEqual({
    version: 1,
    agents: {
      default: "claude",
      named: false,
      roles: {},
      commands: {},
      programs: {},
      env: [],
      network: [],
      servers: {},
    },
    paths: {
      tests: [
        "test/",
        "tests/",
        "**/__tests__/",
        "**/*.test.*",
        "**/*.spec.*",
        "**/test_*.py",
        "**/*_test.py",
        "**/conftest.py",
        "**/*_test.go",
      ],
      source: ["src/"],
      rest: { configuration: [] },
    },
    limits: {},
    orchestrate: { one_file_per_iteration: false },
    graph: { maxDepth: 3, maxChildren: 8, maxNodes: 40, nudgeAfterMs: 60_000, parallel: 4 },
    deadlines: { wallMs: 1_800_000, idleMs: 600_000, testMs: 600_000 },
    budget: { costUsd: null, tokens: null, turns: null, timeMs: null },
    sandbox: "auto",
    protocol: "orchestrate",
  });
  expect(settings).toEqual(defaultSettings());
});

const full = `version: 1
protocol: riper
agents:
  default: codex
  roles: { coder: "scripted:cassettes/a b.yaml", claude: opencode }
  commands: { mine: { run: [my-agent, "{prompt}"], vendor: someone } }
  programs: { claude: /opt/claude }
  accounts: { "claude:opus": team }
  env: [MY_KEY]
  network: [pypi.org, "*.git.test:8443", "[::1]:4000"]
reviewers: [gemini, codex]
paths:
  tests: [checks/, "*.check.js", "packages/*/test/"]
  source: [lib]
runner: node:test
packages: { packages/web: vitest, e2e: none }
limits: { green: 2, gate1: 1 }
orchestrate: { one_file_per_iteration: true }
graph: { maxDepth: 0, maxChildren: 2, maxNodes: 12, nudgeAfter: 5s, parallel: 1 }
notify: { command: "cat >> waits", desktop: true, webhook: $MY_HOOK, push: "https://ntfy.test/t", link: "https://me.test/{run}" }
deadlines: { wall: 1h30m, idle: 90s, test: 500ms }
budget: { usd: 2.5, tokens: 100000, turns: 40, time: 2d, roles: { coder: { turns: 9 } }, day: { usd: 20 } }
sandbox: required
`;

test("every key of mettle.yaml is read", async () => {
  await writeFile(join(root, "mettle.yaml"), full);
  expect(await loadSettings(root)).toEqual({
    version: 1,
    agents: {
      default: "codex",
      named: true,
      roles: { coder: "scripted:cassettes/a b.yaml", claude: "opencode", gemini: "gemini" },
      commands: { mine: { run: ["my-agent", "{prompt}"], vendor: "someone" } },
      programs: { claude: "/opt/claude" },
      accounts: { "claude:opus": "team" },
      env: ["MY_KEY"],
      network: ["pypi.org", "*.git.test:8443", "[::1]:4000"],
      servers: {},
    },
    paths: { tests: ["checks/", "**/*.check.js", "packages/*/test/"], source: ["lib"] },
    runner: "node:test",
    packages: { "packages/web": "vitest", e2e: "none" },
    limits: { green: 2, gate1: 1 },
    orchestrate: { one_file_per_iteration: true },
    graph: { maxDepth: 0, maxChildren: 2, maxNodes: 12, nudgeAfterMs: 5_000, parallel: 1 },
    notify: {
      command: "cat >> waits",
      desktop: true,
      webhook: "$MY_HOOK",
      push: "https://ntfy.test/t",
      link: "https://me.test/{run}",
    },
    deadlines: { wallMs: 5_400_000, idleMs: 90_000, testMs: 500 },
    budget: {
      costUsd: 2.5,
      tokens: 100_000,
      turns: 40,
      timeMs: 172_800_000,
      roles: { coder: { costUsd: null, tokens: null, turns: 9, timeMs: null } },
      day: { costUsd: 20, tokens: null, turns: null, timeMs: null },
    },
    sandbox: "required",
    protocol: "riper",
  });
});

test("a reviewer may be a tool of an MCP server; the other one is chosen as usual", () => {
  const { agents } = parseSettings(
    "version: 1\nreviewers: { gemini: { via: mcp, server: [npx, gemini-mcp], tool: ask-gemini } }\n",
  );
  expect(agents).toMatchObject({
    named: false,
    roles: { gemini: "mcp:gemini" },
    servers: { gemini: { run: ["npx", "gemini-mcp"], tool: "ask-gemini", vendor: "google" } },
  });
  expect(agents.roles).not.toHaveProperty("claude");
  expect(refusal("version: 1\nreviewers: { gemini: { via: mcp, tool: ask-gemini } }\n")).toMatchObject({
    code: "config_invalid",
    lines: [expect.stringMatching(/^mettle\.yaml:2:\d+: /u)],
  });
});

test("a custom program has run or acp, and login requires acp", () => {
  const one = (command: string) => `version: 1\nagents:\n  commands:\n    mine: ${command}\n`;
  expect(parseSettings(one("{ acp: [gemini, --acp], login: gemini-api-key }")).agents.commands).toEqual({
    mine: { acp: ["gemini", "--acp"], login: "gemini-api-key" },
  });
  for (const [command, why] of [
    ["{}", "a program has either run or acp"],
    ["{ run: [a], acp: [b] }", "a program has either run or acp"],
    ["{ run: [a], login: key }", "login goes with acp alone"],
  ] as const)
    expect(refusal(one(command)).lines).toEqual([
      expect.stringMatching(new RegExp(`^mettle\\.yaml:4:\\d+: .*${why}`, "u")),
    ]);
});

test("settings that a run stores as JSON are read back equal", () => {
  for (const settings of [parseSettings(full), defaultSettings()]) {
    expect(Settings.parse(JSON.parse(JSON.stringify(settings)))).toEqual(settings);
  }
  expect(Settings.safeParse({ ...defaultSettings(), limits: { green: 0 } }).success).toBe(false);
});

verifies("ORC-23", "a limit of 0, below 0, or infinite is refused with exit 2 and its position", () => {
  expect(refusal("version: 1\nlimits: {green: 0}\n")).toEqual({
    code: "config_invalid",
    exit: 2,
    lines: ["mettle.yaml:2:17: green: a limit is at least 1"],
  });
  const { code, lines } = refusal(
    "version: 1\nlimits:\n  red: -1\n  gate1: .inf\n  gate2: null\n  gate3:\n  green: 1.5\n  edits: many\n  documents: 1e9\n",
  );
  expect(code).toBe("config_invalid");
  expect(lines).toEqual([
    "7 faults",
    "mettle.yaml:3:8: red: a limit is at least 1",
    expect.stringContaining("mettle.yaml:4:10: gate1: expected a number"),
    "mettle.yaml:5:10: gate2: expected a number, got nothing",
    expect.stringMatching(/^mettle\.yaml:6:\d+: gate3: expected a number, got nothing$/),
    expect.stringContaining("mettle.yaml:7:10: green: expected a whole number"),
    'mettle.yaml:8:10: edits: expected a number, got the text "many"',
    "mettle.yaml:9:14: documents: a limit is at most 1000",
  ]);
});

test("the graph's loops have one limit together or one each, at most 50", () => {
  expect(parseSettings("version: 1\nlimits: {graph: 3, moreTests: 50}\n").limits).toEqual({
    graph: 3,
    moreTests: 50,
  });
  for (const name of ["graph", "attempt", "scaffold", "merge", "moreTests"])
    expect(refusal(`version: 1\nlimits: {${name}: 51}\n`).lines).toEqual([
      `mettle.yaml:2:${12 + name.length}: ${name}: a limit of a loop is at most 50`,
    ]);
});

verifies(
  "CORE-01",
  "in mettle.yaml unknown keys, wrong types, repeated keys, bad UTF-8 and YAML errors are refused with file, line and column",
  () => {
    const cases: readonly (readonly [string | Uint8Array, readonly string[]])[] = [
      [
        "version: 1\nfoo: 1\nlimit: {}\n",
        ["2 faults", 'mettle.yaml:2:1: unknown key "foo"', 'mettle.yaml:3:1: unknown key "limit"'],
      ],
      [
        "version: 1\nagents: claude\n",
        ['mettle.yaml:2:9: agents: expected a mapping, got the text "claude"'],
      ],
      ["version: 1\nversion: 1\n", ["mettle.yaml:2:1: this key is here twice"]],
      [
        Buffer.from([...Buffer.from("version: 1\nrunner: "), 0xff, 0x0a]),
        ["mettle.yaml:2:9: not valid UTF-8 here"],
      ],
      ["version: 1\nlimits: {green: 2\n", ["mettle.yaml:3:1:"]],
      ["version: 1\nagents: [\n", ["mettle.yaml:3:1:"]],
      [
        "version: 1\ndeadlines: {wall: 5, idle: 0s, test: 9d}\n",
        ["3 faults", "mettle.yaml:2:", "mettle.yaml:2:22:", "mettle.yaml:2:32:"],
      ],
      [
        "version: 1\npaths: {tests: [/etc, ../other], source: []}\n",
        [
          "3 faults",
          "mettle.yaml:2:17: a path is relative",
          "mettle.yaml:2:23: a path may not leave",
          "mettle.yaml:2:42: source: at least one",
        ],
      ],
      [
        "version: 1\nsandbox: maybe\n",
        ['mettle.yaml:2:10: sandbox: the text "maybe" is not allowed here (allowed: auto, required, off)'],
      ],
      [
        'version: 1\nnotify: {}\nagents: {roles: {coder: ""}}\n',
        [
          "2 faults",
          "mettle.yaml:2:1: notify needs one of command, desktop: true, webhook and push",
          "mettle.yaml:3:25: coder:",
        ],
      ],
      ["limits: {}\n", ['mettle.yaml:1:1: the key "version" is missing (allowed: 1)']],
      ["", ["mettle.yaml:1:1: the file: expected a mapping, got nothing"]],
    ];
    for (const [text, lines] of cases) {
      expect(refusal(text)).toEqual({
        code: "config_invalid",
        exit: 2,
        lines: lines.map((line) => expect.stringContaining(line)),
      });
    }
  },
);

verifies(
  "CORE-100",
  "settings of a newer version are refused with their own error and left untouched",
  async () => {
    const newer = "version: 2\nsomething: new\n";
    await writeFile(join(root, "mettle.yaml"), newer);
    await expect(loadSettings(root)).rejects.toMatchObject({
      code: "version_unsupported",
      exitCode: 2,
      detail: { found: 2, known: 1 },
    });
    expect(await readFile(join(root, "mettle.yaml"), "utf8")).toBe(newer);
  },
);

test("the JSON Schema for editors names every key and refuses others", () => {
  const { properties, additionalProperties } = JSON.parse(JSON.stringify(settingsJsonSchema()));
  expect([Object.keys(properties).sort(), additionalProperties]).toEqual([
    [
      "agents",
      "budget",
      "deadlines",
      "graph",
      "limits",
      "notify",
      "orchestrate",
      "packages",
      "paths",
      "proof",
      "protocol",
      "reviewers",
      "runner",
      "sandbox",
      "session",
      "store",
      "tests",
      "version",
      "workers",
    ],
    false,
  ]);
  expect(properties.limits.additionalProperties).toEqual({ type: "integer", minimum: 1, maximum: 1000 });
});

test("anything but a plain file of the repository is refused without showing its content (fault S10)", async () => {
  const outside = newFolder();
  const file = join(root, "mettle.yaml");
  const refusals: string[] = [];
  const refuse = async () => {
    const error: unknown = await loadSettings(root).catch((thrown: unknown) => thrown);
    refusals.push(error instanceof AppError ? `${error.code}: ${error.message}` : String(error));
    await rm(file, { recursive: true });
  };

  await writeFile(join(outside, "secret"), "secret: [");
  await symlink(join(outside, "secret"), file);
  await refuse();
  await symlink("/dev/zero", file);
  await refuse();
  execFileSync("mkfifo", [file]);
  await refuse();
  await mkdir(file);
  await refuse();
  await writeFile(file, "a".repeat(2 << 20));
  await refuse();
  expect(refusals).toEqual([
    "config_invalid: mettle.yaml is a link that leads out of the repository",
    "config_invalid: mettle.yaml is a link that leads out of the repository",
    "config_invalid: mettle.yaml is no plain file",
    "config_invalid: mettle.yaml is no plain file",
    "config_invalid: mettle.yaml is longer than 1 MiB",
  ]);
  await writeFile(join(root, "other.yaml"), "version: 1\nrunner: jest\n");
  await symlink("other.yaml", file);
  expect((await loadSettings(root)).runner).toBe("jest");
});

test.each(["https://pypi.org", "pypi.org/simple", "a b", "*", "user@pypi.org"])(
  "agents.network refuses %s, which is no host",
  (host) => {
    expect(() => parseSettings(`version: 1\nagents: { network: ["${host}"] }\n`)).toThrow(/network/u);
  },
);

test("a run stores the snapshots of its tests, whatever the settings of gates say (PRV-22)", () => {
  expect(controlsOfRun({ snapshots: "taken_at_green", flip: false })).toEqual({
    snapshots: "stored",
    flip: false,
  });
  expect(controlsOfRun(undefined).snapshots).toBe("stored");
});
