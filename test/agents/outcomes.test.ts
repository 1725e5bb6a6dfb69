/**
 * Outcomes of turns, from recorded output of the real programs; if they are installed, also from the programs.
 * `METTLE_RECORD=1 npm run test:agents -- test/agents/outcomes.test.ts` records again.
 */
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { Agent, AgentEvent } from "../../src/agents/agent.ts";
import { claudeAgent } from "../../src/agents/claude/adapter.ts";
import { codexAgent } from "../../src/agents/codex/adapter.ts";
import { geminiAgent } from "../../src/agents/gemini/adapter.ts";
import { opencodeAgent } from "../../src/agents/opencode/adapter.ts";
import { newFolder } from "../support/folder.ts";
import { startModelServer } from "../support/model-server.ts";
import { withRealClaude, withRealCodex, withRealGemini, withRealOpencode } from "../support/real-agents.ts";
import { verifies } from "../verifies.ts";
import { specIn } from "./contract.ts";
import { endCases, type EndCase, type OwnTools } from "./outcomes.ts";

const recordings = fileURLToPath(new URL("recordings", import.meta.url));

interface Kind {
  readonly name: string;
  readonly own: OwnTools;
  readonly withReal: (title: string, tests: (file: string) => void) => void;
  /** Interrupt after the request to the model. */
  readonly interruptMs: number;
  agent(file: string, url: string): Agent;
}

const path = process.env["PATH"] ?? "";

const kinds: readonly Kind[] = [
  {
    name: "claude",
    withReal: withRealClaude,
    interruptMs: 4000,
    own: {
      write: { name: "Write", input: { file_path: "/tmp/mettle-never.txt", content: "no" } },
      shell: { name: "Bash", input: { command: "touch never.txt" } },
      answer: "StructuredOutput",
      structures: true,
    },
    agent: (file, url) =>
      claudeAgent({
        file,
        path,
        home: recordings,
        env: { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "dummy" },
        credentials: null,
        loggedIn: true,
        model: null,
      }),
  },
  {
    name: "codex",
    withReal: withRealCodex,
    interruptMs: 3000,
    own: {
      write: {
        name: "apply_patch",
        input: "*** Begin Patch\n*** Add File: never.txt\n+no\n*** End Patch",
      },
      shell: { name: "exec_command", input: { cmd: "touch never.txt" } },
      answer: null,
      structures: true,
    },
    agent: (file, url) =>
      codexAgent({
        file,
        path,
        home: recordings,
        env: { OPENAI_API_KEY: "dummy" },
        login: { type: "key", variable: "OPENAI_API_KEY" },
        baseUrl: `${url}/v1`,
        model: "gpt-5.5",
      }),
  },
  {
    name: "gemini",
    withReal: withRealGemini,
    interruptMs: 8000,
    own: {
      write: { name: "write_file", input: { file_path: "never.txt", content: "no" } },
      shell: { name: "run_shell_command", input: { command: "touch never.txt" } },
      answer: null,
      structures: false,
    },
    agent: (file, url) =>
      geminiAgent({
        file,
        path,
        home: recordings,
        env: { GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: "dummy" },
        login: { auth: "gemini-api-key", credentials: null },
        model: null,
      }),
  },
  {
    name: "opencode",
    withReal: withRealOpencode,
    interruptMs: 15_000,
    own: {
      write: { name: "write", input: { filePath: "never.txt", content: "no" } },
      shell: { name: "bash", input: { command: "touch never.txt", description: "no" } },
      answer: null,
      structures: true,
    },
    agent: (file, url) =>
      opencodeAgent({
        file,
        path,
        home: recordings,
        env: {},
        credentials: null,
        loggedIn: true,
        models: {
          provider: {
            scripted: {
              npm: "@ai-sdk/openai-compatible",
              options: { baseURL: `${url}/v1`, apiKey: "dummy" },
              models: { m: { limit: { context: 100_000, output: 8000 } } },
            },
          },
          model: "scripted/m",
        },
      }),
  },
];

describe("the recorded output of the real programs", () => {
  for (const kind of kinds)
    for (const each of endCases(kind.own))
      verifies("CORE-51", `${kind.name}: ${each.name} is ${each.type}, whatever the exit code`, () =>
        inFolder(async (root) => {
          const file = await program(root, "replay.mjs", join(recordings, kind.name, `${each.name}.json`));
          await expectEnd(kind.agent(file, "http://127.0.0.1:0"), each, root);
        }),
      );
});

test("the failures that look like a success have exit code 0", async () => {
  const deceive = [
    "claude/words",
    "claude/interrupted",
    "codex/words",
    "gemini/interrupted",
    "opencode/words",
  ];
  const codes = deceive.map(async (name) => {
    const text = await readFile(join(recordings, `${name}.json`), "utf8");
    return (JSON.parse(text) as { code: number | null }).code;
  });
  expect(await Promise.all(codes)).toEqual(deceive.map(() => 0));
});

for (const kind of kinds)
  kind.withReal(`the ends of the real ${kind.name}`, (real) => {
    test.each(endCases(kind.own))("$name is $type", { timeout: 90_000 }, (each) =>
      inFolder(async (root) => {
        const server = await startModelServer();

        server.script(each.steps);
        const file = await program(root, "record.mjs", await recorder(kind, each, { real, root }));
        await expectEnd(kind.agent(file, server.url), each, root);
      }),
    );
  });

async function expectEnd(agent: Agent, each: EndCase, root: string): Promise<void> {
  const cwd = join(root, "work");
  await mkdir(cwd);
  const events: AgentEvent[] = [];
  const spec = specIn({ root, cwd, given: each.given });
  const outcome = await agent.start(spec, (event) => events.push(event), new AbortController().signal);
  expect(outcome).toMatchObject({ type: each.type });
  expect(outcome.type === "ok" ? outcome.structured : undefined).toEqual(each.structured);
  const denied = events.flatMap((event) => (event.type === "denied" ? [event.name] : []));
  expect(denied).toEqual(each.denied);
}

/** Makes one of the two programs in recordings/ executable. */
async function program(root: string, script: string, argument: string): Promise<string> {
  const file = join(root, "program");
  const command = [process.execPath, join(recordings, script), argument].map((part) => `'${part}'`).join(" ");
  await writeFile(file, `#!/bin/sh\nexec ${command} "$@"\n`);
  await chmod(file, 0o755);
  return file;
}

interface Recorded {
  readonly real: string;
  readonly root: string;
}

/** Settings of `record.mjs`, which writes the recording only on request. */
async function recorder(kind: Kind, each: EndCase, { real, root }: Recorded): Promise<string> {
  const to = process.env["METTLE_RECORD"] ? join(recordings, kind.name, `${each.name}.json`) : null;
  if (to !== null) await mkdir(dirname(to), { recursive: true });
  const file = join(root, "record.json");
  const settings = {
    program: real,
    to,
    interrupt: each.interrupted ? kind.interruptMs : 0,
    paths: [
      [root, "/machine"],
      [dirname(dirname(dirname(real))), "/agents"],
    ],
  };
  await writeFile(file, JSON.stringify(settings));
  return file;
}

async function inFolder(body: (root: string) => Promise<void>): Promise<void> {
  const root = newFolder();

  await body(root);
}
