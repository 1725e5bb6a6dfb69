/**
 * What Codex is told of a turn. It knows no list of tools: it reads and writes by its shell and its patches, so a role's tools
 * become what Codex's own sandbox lets these do (ADR 0009).
 */
import type { AgentSpec } from "../agent.ts";
import type { Toml } from "./toml.ts";

/** How it logs in, null where a variable carries a key. */
export type Login =
  | { readonly type: "file"; readonly file: string }
  /** The variable that holds a key of the API. */
  | { readonly type: "key"; readonly variable: string };

export interface SettingsOptions {
  readonly spec: Pick<AgentSpec, "cwd" | "tools" | "mcp">;
  readonly login: Login | null;
  /** Where its model answers, null for the service's own place. */
  readonly baseUrl: string | null;
  readonly model: string | null;
}

export type Sandbox = "read-only" | "workspace-write" | "danger-full-access";

/** A role with a shell of its own is confined by nothing, as with every other agent (docs/agents.md). */
export function sandboxOf(tools: readonly string[]): Sandbox {
  if (tools.includes("Bash")) return "danger-full-access";
  return tools.includes("Write") || tools.includes("Edit") ? "workspace-write" : "read-only";
}

export function settingsOf({ spec, login, baseUrl, model }: SettingsOptions): Readonly<Record<string, Toml>> {
  return {
    ...(model === null ? {} : { model }),
    ...providerOf(login, baseUrl),
    approval_policy: "never",
    sandbox_mode: sandboxOf(spec.tools),
    // Beside the workspace only the folder for temporary files of the turn's own.
    sandbox_workspace_write: { exclude_slash_tmp: true, network_access: false },
    // No AGENTS.md, and of a project that is not trusted no settings, hooks or rules.
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

/** Tries of a request and of a stream that broke off; the shipped provider has bounds of its own. */
const retries = 3;

/** A key makes a provider of our own, whose place and retries can be said; a login of the user's works with the shipped one alone. */
function providerOf(login: Login | null, baseUrl: string | null): Readonly<Record<string, Toml>> {
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

/** What asks after the network at the start, or lets the model reach beyond its workspace. */
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
  // It would try a service that cannot be reached until the deadline.
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
 * Nobody is there to allow what a server's tool does; ours only hands on what the agent says. Where it is not required, the model is
 * asked before it is there and knows nothing of it.
 */
function serverOf({ command, args, env }: NonNullable<AgentSpec["mcp"]>): Toml {
  const readiness = { required: true, startup_timeout_sec: 60 };
  return { command, args, env, ...readiness, default_tools_approval_mode: "approve" };
}
