/** The folders of one role in one run. They contain only the login and our files, so that no user setting applies. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AgentSpec } from "../agent.ts";
import { linkLogin } from "../link-login.ts";
import { settingsOf, type Models } from "./settings.ts";

export interface OpencodeHome {
  readonly folder: string;
  /** Variables that point OpenCode to these folders. */
  readonly env: Readonly<Record<string, string>>;
}

export interface OpencodeHomeOptions {
  readonly spec: AgentSpec;
  readonly models: Models;
  readonly canSearch: boolean;
  /** The user's login file; null: none. */
  readonly credentials: string | null;
}

export async function prepareHome({
  spec,
  credentials,
  ...options
}: OpencodeHomeOptions): Promise<OpencodeHome> {
  const folder = join(spec.home, "opencode");
  const [config, data, state, cache] = ["config", "data", "state", "cache"].map((each) =>
    join(folder, each),
  ) as [string, string, string, string];
  const [settings, own, bin] = [config, data, cache].map((each) => join(each, "opencode")) as [
    string,
    string,
    string,
  ];
  for (const each of [join(settings, "plugin"), own, state, join(bin, "bin")])
    await mkdir(each, { recursive: true, mode: 0o700 });
  if (credentials !== null) await linkLogin(credentials, join(own, "auth.json"));
  await writeFile(join(settings, "opencode.json"), JSON.stringify(settingsOf({ spec, ...options })), {
    mode: 0o600,
  });
  // OpenCode loads each file in the folder `plugin` of its configuration.
  await writeFile(join(settings, "plugin", pluginName), pluginText);
  await fakePluginInstall(settings);
  if (!options.canSearch) await fakeRipgrep(join(bin, "bin"));
  return {
    folder,
    env: { XDG_CONFIG_HOME: config, XDG_DATA_HOME: data, XDG_STATE_HOME: state, XDG_CACHE_HOME: cache },
  };
}

/** Keeps OpenCode from installing its plugin package beside the configuration. */
async function fakePluginInstall(settings: string): Promise<void> {
  const dependencies = { "@opencode-ai/plugin": "*" };
  await mkdir(join(settings, "node_modules"), { recursive: true });
  await writeFile(join(settings, "package.json"), JSON.stringify({ private: true }));
  const lock = { lockfileVersion: 3, packages: { "": { dependencies } } };
  await writeFile(join(settings, "package-lock.json"), JSON.stringify(lock));
}

/** Keeps OpenCode from downloading a missing `rg`; the tools that need it are not offered. */
async function fakeRipgrep(bin: string): Promise<void> {
  const script = '#!/bin/sh\necho "ripgrep is not installed" >&2\nexit 2\n';
  await writeFile(join(bin, "rg"), script, { mode: 0o755 });
}

/**
 * The only plugin of a turn. It reports what the stream of `--format json` lacks: how long OpenCode waits before it repeats a
 * request to its model.
 *
 * OpenCode appends the AGENTS.md and CONTEXT.md of the parent folders to the result of each file read, regardless of its
 * settings (measured on 1.18.33). A role must not see the project's memory (ORC-59), so the plugin removes them.
 */
const pluginName = "mettle-plugin.js";

/** File lines are numbered in the result, so the first line that is only the closing tag ends the file. */
const pluginText = `export const Mettle = async () => ({
  "tool.execute.after": async ({ tool }, answer) => {
    const end = "\\n</content>";
    const at = tool === "read" && typeof answer.output === "string" ? answer.output.indexOf(end) : -1;
    if (at >= 0) answer.output = answer.output.slice(0, at + end.length);
  },
  event: async ({ event }) => {
    const { sessionID, status } = event.properties ?? {};
    if (event.type !== "session.status" || status?.type !== "retry") return;
    const line = { type: "mettle_retry", sessionID, message: status.message, next: status.next };
    process.stdout.write(JSON.stringify(line) + "\\n");
  },
});
`;
