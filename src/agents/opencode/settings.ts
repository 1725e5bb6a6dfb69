/** The settings of one turn: only the tools of the role, and no feature that uses the network. */
import type { AgentSpec } from "../agent.ts";

/** Tool names of the protocol -> OpenCode's permissions; `edit` covers every tool that writes. */
const names: Readonly<Record<string, readonly string[]>> = {
  Read: ["read"],
  Glob: ["glob"],
  Grep: ["grep"],
  Write: ["edit"],
  Edit: ["edit"],
  Bash: ["bash"],
};

/** Tools that need the program `rg`, which OpenCode downloads if it is missing. */
const needsRipgrep = ["glob", "grep"];

/** The model settings of the user's configuration. */
export interface Models {
  /** The user's providers, in OpenCode's format. */
  readonly provider: Readonly<Record<string, unknown>>;
  /** `provider/model`; null: OpenCode's default. */
  readonly model: string | null;
}

export interface OpencodeSettingsOptions {
  readonly spec: Pick<AgentSpec, "tools" | "mcp">;
  readonly models: Models;
  /** Whether `rg` is installed. */
  readonly canSearch: boolean;
}

export function settingsOf({ spec: { tools, mcp }, models, canSearch }: OpencodeSettingsOptions): object {
  const own = [...new Set(tools.flatMap((tool) => names[tool] ?? []))];
  return {
    $schema: "https://opencode.ai/config.json",
    provider: models.provider,
    ...(models.model === null ? {} : { model: models.model, small_model: models.model }),
    // The last matching rule applies.
    permission: {
      "*": "deny",
      ...allowed(own.filter((name) => canSearch || !needsRipgrep.includes(name))),
      // Orchestrate's documents may be outside; Mettle detects writes outside.
      ...(own.length === 0 ? {} : { external_directory: "allow" }),
      ...(mcp === null ? {} : allowed([`${mcp.name}_*`])),
    },
    ...(mcp === null ? {} : { mcp: { [mcp.name]: serverOf(mcp) } }),
    share: "disabled",
    autoupdate: false,
    snapshot: false,
    lsp: false,
    formatter: false,
  };
}

function allowed(tools: readonly string[]): Readonly<Record<string, "allow">> {
  return Object.fromEntries(tools.map((name) => [name, "allow"]));
}

function serverOf({ command, args, env }: NonNullable<AgentSpec["mcp"]>): object {
  return { type: "local", command: [command, ...args], environment: env, enabled: true };
}

/** A template names a model of the agent it was written for; OpenCode's names begin with a provider. */
export function modelOf(requested: string | null, fallback: string | null): string | null {
  return requested?.includes("/") === true ? requested : fallback;
}
