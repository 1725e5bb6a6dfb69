/** Codex as this machine has it: where it lies, and by which of the user's logins it works. */
import { access } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Agent } from "../../agents/agent.ts";
import { codexAgent } from "../../agents/codex/adapter.ts";
import type { Login } from "../../agents/codex/settings.ts";
import { pickVariables, networkVariables, userHome, variable } from "../../config/env.ts";
import type { AgentPlaces } from "./agent-places.ts";

/** Each alone is a login, the first one that is set counts. */
const keys = ["OPENAI_API_KEY", "CODEX_API_KEY"];

/** @param model asked for where a role's template names none of OpenAI's, null for Codex's own choice */
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

/** By which login it would work, null where there is none. Whether the login is still good only its service knows. */
export async function codexLogin(env: Readonly<Record<string, string>>): Promise<Login | null> {
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
