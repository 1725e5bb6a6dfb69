/**
 * Calls `gh` and `glab`, which open merge requests. They use the user's own login, found through the variables below,
 * and get no other part of the environment, so no key of an agent or the project reaches them.
 */
import * as z from "zod";
import { findProgram } from "../../../process/find-program.ts";
import { pickVariables, userHome } from "../../../config/env.ts";
import { parseJson } from "../../../lib/json.ts";
import { mask } from "../../../lib/mask.ts";
import { cleanLine, excerptOf } from "../../../lib/text.ts";
import { run } from "../../../process/run.ts";
import type { RunContext } from "../../../run/context.ts";

export type Tool = "gh" | "glab";

export interface Request {
  readonly branch: string;
  readonly target: string;
  readonly title: string;
  readonly body: string;
}

type Host = Pick<RunContext, "host">;

export interface ForgeContext extends Host, Pick<RunContext, "repository"> {
  readonly signal: AbortSignal;
}

/** `url` is null if the program printed none. */
export type ForgeResult =
  | { readonly type: "opened"; readonly url: string | null }
  | { readonly type: "none" }
  | { readonly type: "failed"; readonly why: string };

/** Chosen by the host of the remote; for an unknown host, whichever program is installed. */
export async function toolFor(
  { host }: Host,
  url: string,
): Promise<{ readonly tool: Tool } | { readonly why: string }> {
  const wanted = toolOf(placeOf(url)?.host ?? "");
  const tools: readonly Tool[] = wanted === null ? ["gh", "glab"] : [wanted];
  for (const tool of tools) if ((await findProgram(tool, host.path)) !== null) return { tool };
  return { why: wanted === null ? "neither gh nor glab is on PATH" : `${wanted} is not on PATH` };
}

/** Finds a request for the branch in any state, including closed and merged. */
export async function findRequest(
  at: ForgeContext,
  tool: Tool,
  of: { branch: string; url: string },
): Promise<ForgeResult> {
  const args =
    tool === "gh"
      ? ["pr", "list", `--head=${of.branch}`, "--state=all", "--json=url", "--limit=1"]
      : ["mr", "list", `--source-branch=${of.branch}`, "--all", "--output=json", "--per-page=1"];
  const result = await call(at, tool, { args: [...args, ...repo(tool, of.url)] });
  if (result.type === "failed") return result;
  const [first] = RequestList.catch([]).parse(parseJson(result.text));
  return first === undefined ? { type: "none" } : { type: "opened", url: first.url ?? first.web_url ?? null };
}

export async function openRequest(
  at: ForgeContext,
  tool: Tool,
  { branch, target, title, body, url }: Request & { readonly url: string },
): Promise<ForgeResult> {
  const args =
    tool === "gh"
      ? ["pr", "create", `--head=${branch}`, `--base=${target}`, `--title=${title}`, "--body-file=-"]
      : [
          "mr",
          "create",
          `--source-branch=${branch}`,
          `--target-branch=${target}`,
          `--title=${title}`,
          `--description=${body}`,
          "--yes",
        ];
  const input = tool === "gh" ? { input: body } : {};
  const result = await call(at, tool, { args: [...args, ...repo(tool, url)], ...input });
  if (result.type === "failed") return result;
  return { type: "opened", url: /https?:\/\/\S+/gu.exec(result.text)?.[0] ?? null };
}

/** Variables that lead to the user's login, settings, keyring, ssh agent and network. */
export function loginOf({ host }: Host): Readonly<Record<string, string>> {
  return { HOME: userHome(host.env), ...pickVariables(host.env, loginVariables) };
}

const loginVariables = [
  "USER LOGNAME TMPDIR XDG_CONFIG_HOME XDG_STATE_HOME XDG_DATA_HOME XDG_RUNTIME_DIR DBUS_SESSION_BUS_ADDRESS",
  "SSH_AUTH_SOCK GIT_SSH GIT_SSH_COMMAND",
  "GH_TOKEN GITHUB_TOKEN GH_ENTERPRISE_TOKEN GITHUB_ENTERPRISE_TOKEN GH_CONFIG_DIR",
  "GITLAB_TOKEN GITLAB_ACCESS_TOKEN OAUTH_TOKEN GLAB_CONFIG_DIR",
  "HTTPS_PROXY HTTP_PROXY ALL_PROXY NO_PROXY https_proxy http_proxy all_proxy no_proxy",
  "SSL_CERT_FILE SSL_CERT_DIR GIT_SSL_CAINFO",
].flatMap((line) => line.split(" "));

/** Turns off prompts, update checks and colors. */
const nonInteractive = {
  GH_PROMPT_DISABLED: "1",
  GH_NO_UPDATE_NOTIFIER: "1",
  GLAB_NO_PROMPT: "1",
  NO_PROMPT: "1",
  NO_COLOR: "1",
  GIT_TERMINAL_PROMPT: "0",
};

const timeoutMs = 60_000;
const maxMessageChars = 400;

type CallResult =
  { readonly type: "output"; readonly text: string } | Extract<ForgeResult, { type: "failed" }>;

async function call(
  { host, repository, signal }: ForgeContext,
  tool: Tool,
  { args, input }: { readonly args: readonly string[]; readonly input?: string },
): Promise<CallResult> {
  const ran = await run((await findProgram(tool, host.path)) ?? tool, args, {
    cwd: repository.root,
    env: { ...loginOf({ host }), ...nonInteractive, PATH: host.path },
    timeoutMs,
    signal,
    keepBytes: 1024 * 1024,
    ...(input === undefined ? {} : { input }),
  });
  const text = ran.stdout.toString("utf8");
  if (ran.exitCode === 0) return { type: "output", text };
  const how = ran.timedOut
    ? `did not answer in ${timeoutMs / 1000} s`
    : (ran.failedToStart ?? `ended with exit code ${ran.exitCode ?? "none"}`);
  const lines = (ran.stderr.toString("utf8") || text).split("\n").map(cleanLine);
  const words = excerptOf(lines.join(" ").replace(/\s+/gu, " ").trim(), maxMessageChars);
  return { type: "failed", why: mask(`${tool} ${how}${words === "" ? "" : `: ${words}`}`, host.secrets) };
}

/** For a self-hosted name the program resolves the remote and its login itself. */
function repo(tool: Tool, url: string): readonly string[] {
  const place = placeOf(url);
  if (place === null || toolOf(place.host) !== tool) return [];
  return [`--repo=${tool === "gh" ? `${place.host}/${place.path}` : `https://${place.host}/${place.path}`}`];
}

function toolOf(host: string): Tool | null {
  if (/(^|[.-])github([.-]|$)/u.test(host)) return "gh";
  return /(^|[.-])gitlab([.-]|$)/u.test(host) ? "glab" : null;
}

/** `https://host/a/b.git`, `ssh://git@host:22/a/b`, `git@host:a/b.git`; null for a path. */
function placeOf(url: string): { readonly host: string; readonly path: string } | null {
  const [, host, path] =
    /^[a-z+]+:\/\/(?:[^/@]*@)?([^/:]+)(?::\d+)?\/(.+)$/u.exec(url) ??
    /^(?:[^/@:]+@)?([^/:]+):(?!\/)(.+)$/u.exec(url) ??
    [];
  if (host === undefined || path === undefined) return null;
  return { host: host.toLowerCase(), path: path.replace(/\/+$/u, "").replace(/\.git$/u, "") };
}

const RequestList = z.array(z.object({ url: z.string().optional(), web_url: z.string().optional() }));
