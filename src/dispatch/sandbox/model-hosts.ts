/** The hosts that an agent needs for its model and its login, by its program and the variables that it gets. */
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import type { Agent } from "../../agents/agent.ts";
import { variable, type Env } from "../../config/env.ts";
import type { Settings } from "../../config/settings.ts";
import { isObject, parseJson } from "../../lib/json.ts";
import { destinationOf, destinationOfUrl, type AllowedHost } from "../../process/network/allow-list.ts";
import { modelsOf, opencodeLogin } from "../agents/opencode.ts";

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
    // The address is that of a key; a login file goes to OpenAI.
    hosts: isElsewhere(env, ["OPENAI_BASE_URL"], ["OPENAI_API_KEY", "CODEX_API_KEY"]) ? [] : openai,
    variables: ["OPENAI_BASE_URL"],
  }),
  gemini: ofGemini,
  // The known servers ask Gemini, and are started by npx, which fetches them.
  mcp: (env) => ({ ...ofGemini(env), hosts: [...ofGemini(env).hosts, "registry.npmjs.org"] }),
};

/** Whether the model has another address, and a key, so that no login must be renewed at its maker. */
function isElsewhere(env: Env, addresses: readonly string[], keys: readonly string[]): boolean {
  const isSet = (name: string) => variable(name, env) !== null;
  return addresses.some(isSet) && keys.some(isSet);
}

const openai = ["api.openai.com", "auth.openai.com", "chatgpt.com"];
const google = ["oauth2.googleapis.com", "www.googleapis.com", "sts.googleapis.com"];

function ofClaude(env: Env): readonly string[] {
  if (variable("CLAUDE_CODE_USE_BEDROCK", env) !== null) {
    const region = variable("AWS_REGION", env) ?? "us-east-1";
    return ["bedrock-runtime", "bedrock", "sts"].map((name) => `${name}.${region}.amazonaws.com`);
  }
  if (variable("CLAUDE_CODE_USE_VERTEX", env) !== null)
    return [...google, ...vertex(variable("CLOUD_ML_REGION", env))];
  if (isElsewhere(env, ["ANTHROPIC_BASE_URL"], ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"])) return [];
  // The last three renew the login of a subscription.
  return ["api.anthropic.com", "console.anthropic.com", "platform.claude.com", "claude.ai"];
}

function ofGemini(env: Env): Maker {
  const base = ["GOOGLE_GEMINI_BASE_URL", "GOOGLE_VERTEX_BASE_URL"];
  const isOther = isElsewhere(env, base, ["GEMINI_API_KEY", "GOOGLE_API_KEY"]);
  const models = ["generativelanguage.googleapis.com", "cloudcode-pa.googleapis.com"];
  const regional = vertex(variable("GOOGLE_CLOUD_LOCATION", env));
  return { hosts: isOther ? google : [...models, ...google, ...regional], variables: base };
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
  "github-copilot": [[], ["api.githubcopilot.com", "api.github.com", "github.com"]],
};

/** The addresses of the user's providers, and the hosts of those with a key or a login; without any, the hosts of all. */
async function ofOpencode(env: Env): Promise<Maker> {
  const { provider } = await modelsOf(env);
  const own = [...JSON.stringify(provider).matchAll(/"baseURL":"([^"]+)"/gu)].map(([, url = ""]) => url);
  const named = new Set([...Object.keys(provider), ...(await loggedInAt(env))]);
  const used = Object.entries(providers).filter(
    ([name, [keys]]) => named.has(name) || keys.some((key) => variable(key, env) !== null),
  );
  const isKnown = used.length > 0 || named.size > 0;
  const some = isKnown ? used : Object.entries(providers);
  return { hosts: [...own, ...some.flatMap(([, [, hosts]]) => hosts)], variables: [] };
}

/** The names of the providers in OpenCode's file of logins. */
async function loggedInAt(env: Env): Promise<readonly string[]> {
  const login = await opencodeLogin(env);
  if (login?.type !== "file") return [];
  const found = parseJson(await readFile(login.file, "utf8"));
  return isObject(found) ? Object.keys(found) : [];
}
