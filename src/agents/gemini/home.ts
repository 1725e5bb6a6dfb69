/** The configuration home of one role in one run. It contains only the login and our files, so that no user setting applies. */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AgentSpec } from "../agent.ts";
import { linkLogin } from "../link-login.ts";
import { prepareConversation } from "./conversations.ts";
import { ownTools, policyOf } from "./tools.ts";

/** How the CLI logs in, by the CLI's own names. */
export type AuthType = "gemini-api-key" | "vertex-ai" | "oauth-personal";

export interface GeminiLogin {
  readonly auth: AuthType;
  /** The user's login file; null: a variable holds the login. */
  readonly credentials: string | null;
}

export interface GeminiHome {
  /** For `GEMINI_CLI_HOME`. */
  readonly folder: string;
  /** The text for standard input. */
  readonly input: string;
}

export async function prepareHome(spec: AgentSpec, login: GeminiLogin): Promise<GeminiHome> {
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
 * In a prompt the CLI replaces `@path` by the file, and takes a leading `/` for a command. It does not interpret the arguments
 * of a custom command, so the prompt is the argument of a command that does nothing else.
 */
async function writeCommand(folder: string, prompt: string): Promise<string> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: 0o700 });
  // A random name, since a project command of the same name would override ours.
  const name = `task-${crypto.randomUUID()}`;
  await writeFile(join(folder, `${name}.toml`), 'prompt = "Follow the instructions below."\n');
  return `/${name}\n${prompt}`;
}

/** Attempts per request; without a limit the CLI retries an exhausted quota until the deadline. */
const attempts = 3;

function settingsOf(tools: readonly string[], { auth }: GeminiLogin): object {
  return {
    // No question about trust: the adapter's variable marks the folder as untrusted.
    security: { auth: { selectedType: auth }, folderTrust: { enabled: false } },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
    general: { enableAutoUpdate: false, enableAutoUpdateNotification: false, maxAttempts: attempts },
    // Git ignores Orchestrate's documents, but roles must read them.
    context: { fileFiltering: { respectGitIgnore: false, respectGeminiIgnore: false } },
    tools: { core: tools.length === 0 ? ["none"] : tools, useRipgrep: false },
    skills: { enabled: false },
    hooksConfig: { enabled: false },
    experimental: { enableAgents: false },
    ide: { enabled: false },
    advanced: { ignoreLocalEnv: true },
  };
}
