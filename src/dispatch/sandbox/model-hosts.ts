/** The hosts that an agent needs for its model and its login, by its program and the variables that it gets. */
import { basename } from "node:path";
import type { Agent } from "../../agents/agent.ts";
import { variable, type Env } from "../../config/env.ts";
import type { Settings } from "../../config/settings.ts";
import { destinationOf, destinationOfUrl, type AllowedHost } from "../../process/network/allow-list.ts";
import { modelsOf } from "../agents/opencode.ts";

export interface HostsRequest {
  readonly agent: Pick<Agent, "name">;
  readonly settings: Settings;
  /** Mettle's environment. */
  readonly env: Env;
}

/** A host of the settings or of a variable is the user's own; the others belong to the makers of the agents. */
export async function hostsOf({ agent, settings, env }: HostsRequest): Promise<readonly AllowedHost[]> {
  const { network, env: passed } = settings.agents;
  const named = network === "open" ? [] : network;
  const kind = kindOf(agent.name, settings);
  const { hosts, variables } = kind === "opencode" ? await ofOpencode(env) : (makers[kind]?.(env) ?? nobody);
  const urls = [...variables, ...passed].flatMap((name) => (/_PROXY$/iu.test(name) ? [] : (env[name] ?? [])));
  const all = [
    ...named.map((text) => ({ found: destinationOf(text), isNamed: true })),
    ...urls.map((text) => ({ found: destinationOfUrl(text), isNamed: true })),
    ...hosts.map((text) => ({
      found: text.includes("://") ? destinationOfUrl(text) : destinationOf(text),
      isNamed: text.includes("://"),
    })),
  ];
  return all.flatMap(({ found, isNamed }) => (found === null ? [] : [{ ...found, isNamed }]));
}

/** The agent that a program is, also where it speaks ACP or is the tool of an MCP server. */
function kindOf(name: string, { agents }: Settings): string {
  const { run, acp } = agents.commands[name] ?? {};
  if (name.startsWith("mcp:")) return "mcp";
  const [program = name] = run ?? acp ?? [];
  return basename(program);
}

interface Maker {
  readonly hosts: readonly string[];
  /** Variables whose URLs name the host of the model. */
  readonly variables: readonly string[];
}

const nobody: Maker = { hosts: [], variables: [] };

const makers: Readonly<Record<string, (env: Env) => Maker>> = {
  claude: (env) => ({ hosts: ofClaude(env), variables: ["ANTHROPIC_BASE_URL"] }),
  codex: (env) => ({
    hosts: variable("OPENAI_BASE_URL", env) === null ? openai : [],
    variables: ["OPENAI_BASE_URL"],
  }),
  gemini: ofGemini,
  // The known servers ask Gemini, and are started by npx, which fetches them.
  mcp: (env) => ({ ...ofGemini(env), hosts: [...ofGemini(env).hosts, "registry.npmjs.org"] }),
};

const openai = ["api.openai.com", "auth.openai.com", "chatgpt.com"];
const google = ["oauth2.googleapis.com", "www.googleapis.com", "sts.googleapis.com"];

function ofClaude(env: Env): readonly string[] {
  if (variable("CLAUDE_CODE_USE_BEDROCK", env) !== null) {
    const region = variable("AWS_REGION", env) ?? "us-east-1";
    return ["bedrock-runtime", "bedrock", "sts"].map((name) => `${name}.${region}.amazonaws.com`);
  }
  if (variable("CLAUDE_CODE_USE_VERTEX", env) !== null)
    return [...google, ...vertex(variable("CLOUD_ML_REGION", env))];
  if (variable("ANTHROPIC_BASE_URL", env) !== null) return [];
  // The last three renew the login of a subscription.
  return ["api.anthropic.com", "console.anthropic.com", "platform.claude.com", "claude.ai"];
}

function ofGemini(env: Env): Maker {
  const base = ["GOOGLE_GEMINI_BASE_URL", "GOOGLE_VERTEX_BASE_URL"];
  const isElsewhere = base.some((name) => variable(name, env) !== null);
  const models = ["generativelanguage.googleapis.com", "cloudcode-pa.googleapis.com"];
  const regional = vertex(variable("GOOGLE_CLOUD_LOCATION", env));
  return { hosts: isElsewhere ? google : [...models, ...google, ...regional], variables: base };
}

function vertex(region: string | null): readonly string[] {
  const own = region === null || region === "global" ? [] : [`${region}-aiplatform.googleapis.com`];
  return ["aiplatform.googleapis.com", ...own];
}

/** Provider of OpenCode -> variables of its key, and its hosts. */
const providers: Readonly<Record<string, readonly [keys: readonly string[], hosts: readonly string[]]>> = {
  anthropic: [["ANTHROPIC_API_KEY"], ["api.anthropic.com", "console.anthropic.com"]],
  openai: [["OPENAI_API_KEY"], openai],
  google: [["GEMINI_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY"], ["generativelanguage.googleapis.com"]],
  openrouter: [["OPENROUTER_API_KEY"], ["openrouter.ai"]],
  opencode: [["OPENCODE_API_KEY"], ["opencode.ai"]],
  deepseek: [["DEEPSEEK_API_KEY"], ["api.deepseek.com"]],
  groq: [["GROQ_API_KEY"], ["api.groq.com"]],
  mistral: [["MISTRAL_API_KEY"], ["api.mistral.ai"]],
  xai: [["XAI_API_KEY"], ["api.x.ai"]],
};

/** The addresses in the user's providers; without any, the hosts of the providers whose keys are set, else of all. */
async function ofOpencode(env: Env): Promise<Maker> {
  const { provider } = await modelsOf(env);
  const own = [...JSON.stringify(provider).matchAll(/"baseURL":"([^"]+)"/gu)].map(([, url = ""]) => url);
  const withKey = Object.values(providers).filter(([keys]) =>
    keys.some((key) => variable(key, env) !== null),
  );
  const used = withKey.length > 0 || own.length > 0 ? withKey : Object.values(providers);
  return { hosts: [...own, ...used.flatMap(([, hosts]) => hosts)], variables: [] };
}
