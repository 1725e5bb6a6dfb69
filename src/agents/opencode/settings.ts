/** What OpenCode is told of a turn: the tools of its role and no others, and nothing that it would ask the network for. */
import type { AgentSpec } from "../agent.ts";

/** The seeds' names -> OpenCode's permissions; `edit` stands for everything that writes. */
const names: Readonly<Record<string, readonly string[]>> = {
  Read: ["read"],
  Glob: ["glob"],
  Grep: ["grep"],
  Write: ["edit"],
  Edit: ["edit"],
  Bash: ["bash"],
};

/** Tools that need the program `rg`: where it is missing, OpenCode would download it. */
const needsRipgrep = ["glob", "grep"];

/** What the user's own configuration says of models, and nothing else of it. */
export interface Models {
  /** The user's providers, as OpenCode reads them. */
  readonly provider: Readonly<Record<string, unknown>>;
  /** `provider/model`; null: OpenCode's own choice. */
  readonly model: string | null;
}

export interface SettingsOptions {
  readonly spec: Pick<AgentSpec, "tools" | "mcp">;
  readonly models: Models;
  /** Whether `rg` is there. */
  readonly canSearch: boolean;
}

export function settingsOf({ spec: { tools, mcp }, models, canSearch }: SettingsOptions): object {
  const own = [...new Set(tools.flatMap((tool) => names[tool] ?? []))];
  return {
    $schema: "https://opencode.ai/config.json",
    provider: models.provider,
    ...(models.model === null ? {} : { model: models.model, small_model: models.model }),
    // The last rule that fits counts.
    permission: {
      "*": "deny",
      ...allowed(own.filter((name) => canSearch || !needsRipgrep.includes(name))),
      // Orchestrate's documents may lie outside; what a role writes outside is detected.
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

/** A template names models in the words of the agent for whom it was written; OpenCode's have a provider before them. */
export function modelOf(asked: string | null, chosen: string | null): string | null {
  return asked?.includes("/") === true ? asked : chosen;
}
