/** Configures the Gemini CLI from this machine: its program and the user's login. */
import { access } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Agent } from "../../agents/agent.ts";
import { findProgram } from "../../process/find-program.ts";
import { geminiAgent } from "../../agents/gemini/adapter.ts";
import type { GeminiLogin } from "../../agents/gemini/home.ts";
import { pickVariables, networkVariables, userHome, variable } from "../../config/env.ts";
import type { AgentPlaces } from "./agent-places.ts";

/** Each variable alone is a login; the first one that is set is used. */
const logins = [
  ["GEMINI_API_KEY", "gemini-api-key"],
  ["GOOGLE_API_KEY", "vertex-ai"],
  ["GOOGLE_GENAI_USE_VERTEXAI", "vertex-ai"],
] as const;

/** Logins, the model's address, and the network's settings. */
export const geminiVariables: readonly string[] = [
  ...logins.map(([name]) => name),
  "GOOGLE_GEMINI_BASE_URL",
  "GOOGLE_VERTEX_BASE_URL",
  "GOOGLE_CLOUD_PROJECT",
  "GOOGLE_CLOUD_LOCATION",
  "GOOGLE_APPLICATION_CREDENTIALS",
  ...networkVariables,
];

/** @param model used if the role's template names no Gemini model; null for the adapter's default */
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

/** The login that the Gemini CLI would use, or null. Does not check that the service still accepts it. */
export async function geminiLogin(
  all: Readonly<Record<string, string>>,
  more: readonly string[],
): Promise<GeminiLogin | null> {
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

/** Whether the Gemini CLI is installed and has a login. Does not start it. */
export async function isGeminiPresent(places: AgentPlaces): Promise<boolean> {
  const { settings, host } = places;
  if ((await findProgram(fileOf(places), host.path)) === null) return false;
  return (await geminiLogin(host.env, settings.agents.env)) !== null;
}

function fileOf({ settings, cwd }: AgentPlaces): string {
  const file = settings.agents.programs["gemini"] ?? "gemini";
  return file.includes("/") ? resolve(cwd, file) : file;
}
