/**
 * The settings of one turn. Codex has no list of tools: it reads and writes by its shell and by patches, so the role's tools
 * select the mode of Codex's sandbox (ADR 0009).
 */
import type { AgentSpec } from "../agent.ts";
import type { Toml } from "./toml.ts";

/** How Codex logs in. */
export type CodexLogin =
  | { readonly type: "file"; readonly file: string }
  /** `variable` names the variable that holds the API key. */
  | { readonly type: "key"; readonly variable: string };

export interface CodexSettingsOptions {
  readonly spec: Pick<AgentSpec, "cwd" | "tools" | "mcp">;
  readonly login: CodexLogin | null;
  /** URL of the model service; null: the default. */
  readonly baseUrl: string | null;
  readonly model: string | null;
}

export type Sandbox = "read-only" | "workspace-write" | "danger-full-access";

/** A role with a shell is not confined, as with every other agent (docs/agents.md). */
export function sandboxOf(tools: readonly string[]): Sandbox {
  if (tools.includes("Bash")) return "danger-full-access";
  return tools.includes("Write") || tools.includes("Edit") ? "workspace-write" : "read-only";
}

export function settingsOf({
  spec,
  login,
  baseUrl,
  model,
}: CodexSettingsOptions): Readonly<Record<string, Toml>> {
  return {
    ...(model === null ? {} : { model }),
    ...providerOf(login, baseUrl),
    approval_policy: "never",
    sandbox_mode: sandboxOf(spec.tools),
    // Writable: the workspace and the temporary folder of the turn.
    sandbox_workspace_write: { exclude_slash_tmp: true, network_access: false },
    // No AGENTS.md; an untrusted project has no settings, hooks or rules.
    project_doc_max_bytes: 0,
    projects: { [spec.cwd]: { trust_level: "untrusted" } },
    skills: { bundled: { enabled: false }, include_instructions: false },
    agents: { enabled: false },
    web_search: "disabled",
    check_for_update_on_startup: false,
    cli_auth_credentials_store: "file",
    history: { persistence: "none" },
    analytics: { enabled: false },
    feedback: { enabled: false },
    features: featuresOf(spec.tools),
    ...(login?.type === "key" ? { shell_environment_policy: { exclude: [login.variable] } } : {}),
    ...(spec.mcp === null ? {} : { mcp_servers: { [spec.mcp.name]: serverOf(spec.mcp) } }),
  };
}

/** Retries of a request and of a broken stream; the built-in provider has its own limits. */
const retries = 3;

/** With an API key we define a provider with URL and retries; a login file works only with the built-in provider. */
function providerOf(login: CodexLogin | null, baseUrl: string | null): Readonly<Record<string, Toml>> {
  if (login?.type !== "key") return {};
  const provider = {
    name: "OpenAI",
    base_url: baseUrl ?? "https://api.openai.com/v1",
    env_key: login.variable,
    wire_api: "responses",
    request_max_retries: retries,
    stream_max_retries: retries,
  };
  return { model_provider: "mettle", model_providers: { mettle: provider } };
}

/** Features that use the network at start-up, or that let the model leave its workspace. */
const disabledFeatures = [
  "apps",
  "plugins",
  "remote_plugin",
  "tool_suggest",
  "goals",
  "image_generation",
  "browser_use",
  "computer_use",
  "in_app_browser",
  "shell_snapshot",
  // Retries an unreachable service until the deadline.
  "unbounded_connection_retries",
];

function featuresOf(tools: readonly string[]): Readonly<Record<string, boolean>> {
  const hasShell = tools.length > 0;
  return {
    ...Object.fromEntries(disabledFeatures.map((name) => [name, false])),
    ...(hasShell ? {} : { shell_tool: false, unified_exec: false, view_image: false }),
  };
}

/**
 * No person is there to approve tool calls; our server only passes on reports. Without `required`, Codex may ask the model
 * before the server is ready, and the model does not know its tools.
 */
function serverOf({ command, args, env }: NonNullable<AgentSpec["mcp"]>): Toml {
  const readiness = { required: true, startup_timeout_sec: 60 };
  return { command, args, env, ...readiness, default_tools_approval_mode: "approve" };
}
