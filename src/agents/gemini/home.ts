/** The configuration home of one role in one run: empty but for the login and what we write, so that nothing of the user's reaches it. */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AgentSpec } from "../agent.ts";
import { linkLogin } from "../link-login.ts";
import { prepareConversation } from "./conversations.ts";
import { ownTools, policyOf } from "./tools.ts";

/** How it logs in, in its own words. */
export type AuthType = "gemini-api-key" | "vertex-ai" | "oauth-personal";

export interface Login {
  readonly auth: AuthType;
  /** The user's own login file, null where a variable carries the login. */
  readonly credentials: string | null;
}

export interface Home {
  /** For `GEMINI_CLI_HOME`. */
  readonly folder: string;
  /** The prompt as it is given to the standard input. */
  readonly input: string;
}

export async function prepareHome(spec: AgentSpec, login: Login): Promise<Home> {
  const folder = join(spec.home, "gemini");
  const own = join(folder, ".gemini");
  for (const inner of ["commands", "policies"])
    await mkdir(join(own, inner), { recursive: true, mode: 0o700 });
  if (login.credentials !== null) await linkLogin(login.credentials, join(own, "oauth_creds.json"));
  const tools = ownTools(spec.tools);
  await writeFile(join(own, "settings.json"), JSON.stringify(settingsOf(tools, login)), { mode: 0o600 });
  await writeFile(join(own, "policies", "mettle.toml"), policyOf(tools));
  await prepareConversation(own, spec.conversation, spec.cwd);
  return { folder, input: await writeCommand(join(own, "commands"), spec.prompt) };
}

/**
 * The CLI would read `@path` in a prompt as the wish to have that file, and `/` at its beginning as a command. What a command
 * of one's own passes on it leaves alone, so the prompt is given to one that does nothing but pass it on.
 */
async function writeCommand(folder: string, prompt: string): Promise<string> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: 0o700 });
  // A name that no project can know: its command of the same name would come before ours.
  const name = `task-${crypto.randomUUID()}`;
  await writeFile(join(folder, `${name}.toml`), 'prompt = "Do what is said below."\n');
  return `/${name}\n${prompt}`;
}

/** Tries of a request; without a bound a spent quota would be tried until the deadline. */
const attempts = 3;

function settingsOf(tools: readonly string[], { auth }: Login): object {
  return {
    // It asks no longer whether the folder is to be trusted; that it is not, the adapter's variable says.
    security: { auth: { selectedType: auth }, folderTrust: { enabled: false } },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
    general: { enableAutoUpdate: false, enableAutoUpdateNotification: false, maxAttempts: attempts },
    // Orchestrate's documents are ignored by git and are there to be read.
    context: { fileFiltering: { respectGitIgnore: false, respectGeminiIgnore: false } },
    tools: { core: tools.length === 0 ? ["none"] : tools, useRipgrep: false },
    skills: { enabled: false },
    hooksConfig: { enabled: false },
    experimental: { enableAgents: false },
    ide: { enabled: false },
    advanced: { ignoreLocalEnv: true },
  };
}
