/** For every agent the standard error of a crash is kept without control characters, and its error is reported. */
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { Agent } from "../../src/agents/agent.ts";
import { claudeAgent } from "../../src/agents/claude/adapter.ts";
import { codexAgent } from "../../src/agents/codex/adapter.ts";
import { commandAgent } from "../../src/agents/command/adapter.ts";
import { geminiAgent } from "../../src/agents/gemini/adapter.ts";
import { opencodeAgent } from "../../src/agents/opencode/adapter.ts";
import { lastErrorLine } from "../../src/agents/program.ts";
import { newFolder } from "../support/folder.ts";
import { specIn } from "./contract.ts";

let home: string;
let file: string;
beforeAll(async () => {
  home = newFolder();
  file = join(home, "program");
  await writeFile(
    file,
    String.raw`#!/bin/sh
printf 'reading \033[31mthe settings\033[0m\n' >&2
printf 'TypeError: settings.models is not iterable\n    at load (main.js:3:9)\n\nNode.js v22.1.0\n' >&2
exit 1
`,
  );
  await chmod(file, 0o755);
});

const path = process.env["PATH"] ?? "";
const agents: Readonly<Record<string, () => Agent>> = {
  claude: () =>
    claudeAgent({
      file,
      path,
      home,
      env: { ANTHROPIC_API_KEY: "dummy" },
      credentials: null,
      loggedIn: true,
      model: null,
    }),
  codex: () =>
    codexAgent({
      file,
      path,
      home,
      env: { OPENAI_API_KEY: "dummy" },
      login: { type: "key", variable: "OPENAI_API_KEY" },
      baseUrl: "http://127.0.0.1:9/v1",
      model: "m",
    }),
  gemini: () =>
    geminiAgent({
      file,
      path,
      home,
      env: { GEMINI_API_KEY: "dummy" },
      login: { auth: "gemini-api-key", credentials: null },
      model: null,
    }),
  opencode: () =>
    opencodeAgent({
      file,
      path,
      home,
      env: {},
      credentials: null,
      loggedIn: true,
      models: { provider: {}, model: "scripted/m" },
    }),
  command: () => commandAgent({ name: "own", vendor: "own", run: [file], env: {}, path }),
};

test.each(Object.keys(agents))(
  "%s: the last lines of a crash are kept, and its error is reported (fault E19)",
  async (name) => {
    const agent = agents[name]?.();
    const spec = specIn({ root: home, cwd: home, given: {} });
    const outcome = await agent?.start(spec, () => undefined, new AbortController().signal);
    expect(outcome).toMatchObject({
      type: "crashed",
      text: expect.stringContaining(
        "reading the settings\nTypeError: settings.models is not iterable\n",
      ) as string,
      why: expect.stringContaining("exit code 1: TypeError: settings.models is not iterable") as string,
    });
  },
);

test.each([
  [
    "panic: no rows\n\ngoroutine 1 [running]:\nmain.main()\n\t/w/main.go:5 +0x1d\nexit status 2\n",
    "panic: no rows",
  ],
  [
    "thread 'main' panicked at src/main.rs:2:5:\nno rows\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n",
    "thread 'main' panicked at src/main.rs:2:5: no rows",
  ],
  ["\u001b[31mfatal: nothing\u001b[0m\n\n", "fatal: nothing"],
])("the error in %j is reported", (stderr, words) => {
  expect(lastErrorLine(Buffer.from(stderr))).toBe(words);
});
