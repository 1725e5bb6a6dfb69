/** The folders of one role in one run: empty but for the login and what we write, so that nothing of the user's reaches it. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AgentSpec } from "../agent.ts";
import { linkLogin } from "../link-login.ts";
import { settingsOf, type Models } from "./settings.ts";

export interface Home {
  readonly folder: string;
  /** Where OpenCode looks for what is its own. */
  readonly env: Readonly<Record<string, string>>;
}

export interface HomeOptions {
  readonly spec: AgentSpec;
  readonly models: Models;
  readonly canSearch: boolean;
  /** The user's own login file, null where there is none. */
  readonly credentials: string | null;
}

export async function prepareHome({ spec, credentials, ...asked }: HomeOptions): Promise<Home> {
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
  await writeFile(join(settings, "opencode.json"), JSON.stringify(settingsOf({ spec, ...asked })), {
    mode: 0o600,
  });
  // A file in the folder `plugin` of the configuration is a plugin.
  await writeFile(join(settings, "plugin", pluginName), pluginText);
  await fakePluginInstall(settings);
  if (!asked.canSearch) await fakeRipgrep(join(bin, "bin"));
  return {
    folder,
    env: { XDG_CONFIG_HOME: config, XDG_DATA_HOME: data, XDG_STATE_HOME: state, XDG_CACHE_HOME: cache },
  };
}

/** OpenCode installs the package for plugins beside each configuration that does not have it, and a turn has no plugins. */
async function fakePluginInstall(settings: string): Promise<void> {
  const dependencies = { "@opencode-ai/plugin": "*" };
  await mkdir(join(settings, "node_modules"), { recursive: true });
  await writeFile(join(settings, "package.json"), JSON.stringify({ private: true }));
  const lock = { lockfileVersion: 3, packages: { "": { dependencies } } };
  await writeFile(join(settings, "package-lock.json"), JSON.stringify(lock));
}

/** Where there is no `rg` OpenCode would download it; the tools that need it are not offered. */
async function fakeRipgrep(bin: string): Promise<void> {
  const script = '#!/bin/sh\necho "ripgrep is not installed" >&2\nexit 2\n';
  await writeFile(join(bin, "rg"), script, { mode: 0o755 });
}

/**
 * The one plugin of a turn. It tells what the stream of `--format json` leaves out: that OpenCode waits to ask its model again, and until when.
 *
 * Where a file is read, OpenCode adds the AGENTS.md and CONTEXT.md of the folders above it to what the tool answers, whatever its settings say
 * (measured on 1.18.33). No memory of the project is for a role (ORC-59), so the plugin takes them out again.
 */
const pluginName = "mettle-plugin.js";

/** Lines of a file are numbered in the answer, so the first line that is the closing tag is the end of the file. */
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
