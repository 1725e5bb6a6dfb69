/** Configures Claude Code from this machine: its program and the user's login. */
import { access } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Agent } from "../../agents/agent.ts";
import { claudeAgent } from "../../agents/claude/adapter.ts";
import { pickVariables, networkVariables, userHome, variable } from "../../config/env.ts";
import { hidesLogins } from "../../config/platform.ts";
import type { AgentPlaces } from "./agent-places.ts";

/** Each variable alone is a login; the switch of a cloud brings the cloud's credentials. */
const logins = [
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_AUTH_TOKEN",
  "CLAUDE_CODE_OAUTH_TOKEN",
  "CLAUDE_CODE_USE_BEDROCK",
  "CLAUDE_CODE_USE_VERTEX",
];

/** Logins, the model's address, and the network's settings. */
const known = [...logins, "ANTHROPIC_BASE_URL", "ANTHROPIC_MODEL", ...networkVariables];

/** @param model used if the role's template names none; null for Claude Code's default */
export async function claudeOf(places: AgentPlaces, model: string | null): Promise<Agent> {
  const { settings, host, cwd, home } = places;
  const file = settings.agents.programs["claude"] ?? "claude";
  const env = pickVariables(host.env, [...known, ...settings.agents.env]);
  const login = await claudeLogin(host.env, settings.agents.env);
  return claudeAgent({
    file: file.includes("/") ? resolve(cwd, file) : file,
    path: host.path,
    home,
    env,
    credentials: login?.type === "file" ? login.file : null,
    loggedIn: login !== null,
    model,
  });
}

export type ClaudeLogin =
  | { readonly type: "variable"; readonly name: string }
  | { readonly type: "file"; readonly file: string }
  /** The system's keychain, which Mettle cannot read. */
  | { readonly type: "keychain" };

/** The login that Claude Code would use, or null. Does not check that the service still accepts it. */
export async function claudeLogin(
  all: Readonly<Record<string, string>>,
  more: readonly string[],
): Promise<ClaudeLogin | null> {
  const env = pickVariables(all, [...known, ...more]);
  const name = logins.find((each) => variable(each, env) !== null);
  if (name !== undefined) return { type: "variable", name };
  const file = await loginFile(all);
  if (file !== null) return { type: "file", file };
  return hidesLogins() ? { type: "keychain" } : null;
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
