/** The Gemini CLI as this machine has it: where it lies, and by which of the user's logins it works. */
import { access } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Agent } from "../../agents/agent.ts";
import { findProgram } from "../../agents/find-program.ts";
import { geminiAgent } from "../../agents/gemini/adapter.ts";
import type { Login } from "../../agents/gemini/home.ts";
import { pickVariables, networkVariables, userHome, variable } from "../../config/env.ts";
import type { AgentPlaces } from "./agent-places.ts";

/** Each alone is a login, the first one that is set counts. */
const logins = [
  ["GEMINI_API_KEY", "gemini-api-key"],
  ["GOOGLE_API_KEY", "vertex-ai"],
  ["GOOGLE_GENAI_USE_VERTEXAI", "vertex-ai"],
] as const;

/** Where its model answers, and how the network is reached. */
export const geminiVariables: readonly string[] = [
  ...logins.map(([name]) => name),
  "GOOGLE_GEMINI_BASE_URL",
  "GOOGLE_VERTEX_BASE_URL",
  "GOOGLE_CLOUD_PROJECT",
  "GOOGLE_CLOUD_LOCATION",
  "GOOGLE_APPLICATION_CREDENTIALS",
  ...networkVariables,
];

/** @param model asked for where a role's template names none of Gemini's, null for the adapter's own */
export async function geminiOf(places: AgentPlaces, model: string | null): Promise<Agent> {
  const { settings, host, home } = places;
  return geminiAgent({
    file: fileOf(places),
    path: host.path,
    home,
    env: pickVariables(host.env, [...geminiVariables, ...settings.agents.env]),
    login: await geminiLogin(host.env, settings.agents.env),
    model,
  });
}

/** By which login it would work, null where there is none. Whether the login is still good only its service knows. */
export async function geminiLogin(
  all: Readonly<Record<string, string>>,
  more: readonly string[],
): Promise<Login | null> {
  const env = pickVariables(all, [...geminiVariables, ...more]);
  const login = logins.find(([name]) => variable(name, env) !== null);
  if (login !== undefined) return { auth: login[1], credentials: null };
  const credentials = join(userHome(all), ".gemini", "oauth_creds.json");
  try {
    await access(credentials);
    return { auth: "oauth-personal", credentials };
  } catch {
    return null; // never logged in here
  }
}

/** Whether it is there and somebody has logged in, without starting it. */
export async function isGeminiPresent(places: AgentPlaces): Promise<boolean> {
  const { settings, host } = places;
  if ((await findProgram(fileOf(places), host.path)) === null) return false;
  return (await geminiLogin(host.env, settings.agents.env)) !== null;
}

function fileOf({ settings, cwd }: AgentPlaces): string {
  const file = settings.agents.programs["gemini"] ?? "gemini";
  return file.includes("/") ? resolve(cwd, file) : file;
}
