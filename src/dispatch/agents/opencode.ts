/** Configures OpenCode from this machine: its program, and the user's models and login. */
import { access, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import * as z from "zod";
import type { Agent } from "../../agents/agent.ts";
import { opencodeAgent } from "../../agents/opencode/adapter.ts";
import type { Models } from "../../agents/opencode/settings.ts";
import { pickVariables, networkVariables, userHome, variable } from "../../config/env.ts";
import { AppError } from "../../lib/errors.ts";
import type { AgentPlaces } from "./agent-places.ts";

/** Each variable alone is a login at one provider. */
const keys = [
  "ANTHROPIC_API_KEY",
  "OPENAI_API_KEY",
  "GEMINI_API_KEY",
  "GOOGLE_GENERATIVE_AI_API_KEY",
  "OPENROUTER_API_KEY",
  "OPENCODE_API_KEY",
  "DEEPSEEK_API_KEY",
  "GROQ_API_KEY",
  "MISTRAL_API_KEY",
  "XAI_API_KEY",
];

type Variables = Readonly<Record<string, string>>;

/** @param model `provider/model`, used if the role's template names none of that form; null for the user's default */
export async function opencodeOf(places: AgentPlaces, model: string | null): Promise<Agent> {
  const { settings, host, cwd, home } = places;
  const file = settings.agents.programs["opencode"] ?? "opencode";
  const models = await modelsOf(host.env);
  const login = await opencodeLogin(host.env);
  return opencodeAgent({
    file: file.includes("/") ? resolve(cwd, file) : file,
    path: host.path,
    home,
    env: pickVariables(host.env, [...keys, ...networkVariables, ...settings.agents.env]),
    credentials: login?.type === "file" ? login.file : null,
    loggedIn: login !== null || Object.keys(models.provider).length > 0,
    models: { ...models, model: model ?? models.model },
  });
}

export type OpencodeLogin =
  { readonly type: "variable"; readonly name: string } | { readonly type: "file"; readonly file: string };

/** The login that OpenCode would use, or null; a local provider needs none. */
export async function opencodeLogin(env: Variables): Promise<OpencodeLogin | null> {
  const file = join(folderOf(env, "XDG_DATA_HOME", ".local/share"), "auth.json");
  try {
    await access(file);
    return { type: "file", file };
  } catch {
    // never logged in here
  }
  const name = keys.find((key) => variable(key, env) !== null);
  return name === undefined ? null : { type: "variable", name };
}

const Configured = z.object({
  provider: z.record(z.string(), z.unknown()).default({}),
  model: z.string().nullable().default(null),
});

/** Reads only the models from the user's configuration: roles get none of its rules, memories and servers (ORC-59). */
export async function modelsOf(env: Variables): Promise<Models> {
  const file = join(folderOf(env, "XDG_CONFIG_HOME", ".config"), "opencode.json");
  const text = await readFile(file, "utf8").catch(() => "{}"); // never configured here
  try {
    return Configured.parse(JSON.parse(text));
  } catch (error) {
    throw new AppError("config_invalid", `${file} cannot be read as JSON with \`provider\` and \`model\``, {
      hint: "take comments out of it, or name another agent with --agent",
      cause: error,
    });
  }
}

function folderOf(env: Variables, name: string, otherwise: string): string {
  return join(variable(name, env) ?? join(userHome(env), otherwise), "opencode");
}
