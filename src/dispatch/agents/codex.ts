/** Configures Codex from this machine: its program and the user's login. */
import { access } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Agent } from "../../agents/agent.ts";
import { codexAgent } from "../../agents/codex/adapter.ts";
import type { CodexLogin } from "../../agents/codex/settings.ts";
import { pickVariables, networkVariables, userHome, variable } from "../../config/env.ts";
import type { AgentPlaces } from "./agent-places.ts";

/** Each variable alone is a login; the first one that is set is used. */
const keys = ["OPENAI_API_KEY", "CODEX_API_KEY"];

/** @param model used if the role's template names no model of OpenAI; null for Codex's default */
export async function codexOf(places: AgentPlaces, model: string | null): Promise<Agent> {
  const { settings, host, cwd, home } = places;
  const file = settings.agents.programs["codex"] ?? "codex";
  const login = await codexLogin(host.env);
  const key = login?.type === "key" ? [login.variable] : [];
  return codexAgent({
    file: file.includes("/") ? resolve(cwd, file) : file,
    path: host.path,
    home,
    env: pickVariables(host.env, [...key, ...networkVariables, ...settings.agents.env]),
    login,
    baseUrl: variable("OPENAI_BASE_URL", host.env),
    model,
  });
}

/** The login that Codex would use, or null. Does not check that the service still accepts it. */
export async function codexLogin(env: Readonly<Record<string, string>>): Promise<CodexLogin | null> {
  const key = keys.find((name) => variable(name, env) !== null);
  if (key !== undefined) return { type: "key", variable: key };
  const folder = variable("CODEX_HOME", env) ?? join(userHome(env), ".codex");
  const file = join(folder, "auth.json");
  try {
    await access(file);
    return { type: "file", file };
  } catch {
    return null; // never logged in here
  }
}
