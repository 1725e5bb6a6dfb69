/** Claude Code as this machine has it: where it lies, and by which of the user's logins it works. */
import { access } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Agent } from "../agents/agent.ts";
import { claudeAgent } from "../agents/claude/adapter.ts";
import { chosen, userHome } from "../config/env.ts";
import { hidesLogins } from "../config/platform.ts";
import type { AgentPlaces } from "./agents.ts";

/** Each alone is a login; a cloud's own credentials come with its switch. */
const logins = [
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_AUTH_TOKEN",
  "CLAUDE_CODE_OAUTH_TOKEN",
  "CLAUDE_CODE_USE_BEDROCK",
  "CLAUDE_CODE_USE_VERTEX",
];

/** Where its model answers, and how the network is reached. */
const known = [
  ...logins,
  "ANTHROPIC_BASE_URL",
  "ANTHROPIC_MODEL",
  "HTTPS_PROXY",
  "HTTP_PROXY",
  "NO_PROXY",
  "NODE_EXTRA_CA_CERTS",
];

/** @param model asked for where a role's template names none, null for its own choice */
export async function claudeOf(places: AgentPlaces, model: string | null): Promise<Agent> {
  const { settings, host, cwd, home } = places;
  const file = settings.agents.programs["claude"] ?? "claude";
  const env = chosen(host.env, [...known, ...settings.agents.env]);
  const byVariable = logins.some((name) => env[name] !== undefined);
  const credentials = byVariable ? null : await loginFile(host.env);
  return claudeAgent({
    file: file.includes("/") ? resolve(cwd, file) : file,
    path: host.path,
    home,
    env,
    credentials,
    loggedIn: byVariable || credentials !== null || hidesLogins(),
    model,
  });
}

async function loginFile(env: Readonly<Record<string, string>>): Promise<string | null> {
  const file = join(userHome(env), ".claude", ".credentials.json");
  try {
    await access(file);
    return file;
  } catch {
    return null; // never logged in here
  }
}
