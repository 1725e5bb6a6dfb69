/** Claude Code, headless: one process per turn; events and result come from its stream (CORE-50 to 53). */
import type { Agent, AgentSpec, Probe } from "../agent.ts";
import { runProgram, withLastLines } from "../program.ts";
import { argvOf } from "./argv.ts";
import { prepareHome } from "./home.ts";
import { outcomeOf } from "./outcome.ts";
import { forksOfClaude } from "./transcripts.ts";
import { claudeTurn } from "./turn.ts";
import { probeProgram, type ProgramInfo, type ProbeOptions } from "../probe-program.ts";

export interface ClaudeOptions {
  /** `claude`, or the path of the program. */
  readonly file: string;
  readonly path: string;
  /** HOME of `--version`. */
  readonly home: string;
  /** Environment variables for the login and the model service. */
  readonly env: Readonly<Record<string, string>>;
  /** The user's login file; null: a variable holds the login. */
  readonly credentials: string | null;
  readonly loggedIn: boolean;
  /** Model for roles whose template names none. */
  readonly model: string | null;
}

/** Without a limit Claude Code tries a wrong key for three minutes. */
const retries = "3";

export function claudeAgent(options: ClaudeOptions): Agent {
  let ready: Probe | null = null;
  return {
    name: "claude",
    vendor: "anthropic",
    remembers: true,
    forks: forksOfClaude,
    async probe() {
      if (ready !== null) return ready;
      const probe = await probeClaude(options);
      if (probe.type === "ready") ready = probe;
      return probe;
    },
    async start(spec, sink, signal) {
      const home = await prepareHome(spec, options.credentials);
      const turn = claudeTurn(sink, spec.conversation);
      const withModel = { ...spec, model: spec.model ?? options.model };
      const ended = await runProgram(
        {
          file: options.file,
          argv: argvOf(withModel, home),
          env: { ...spec.env, ...fixed, ...asRoot(spec), ...options.env, CLAUDE_CONFIG_DIR: home.folder },
          input: spec.prompt,
          login: options.credentials,
          onLine: turn.onLine,
          busy: () => turn.busy,
        },
        spec,
        signal,
      );
      return withLastLines(
        outcomeOf({
          ended,
          result: turn.result,
          limit: turn.limit,
          text: turn.text,
          structured: spec.schema !== null,
        }),
        ended,
      );
    },
  };
}

/** As root, Claude Code bypasses permissions only with this variable. A confined agent is not root. */
function asRoot({ confinement }: Pick<AgentSpec, "confinement">): Readonly<Record<string, string>> {
  return confinement === undefined && process.getuid?.() === 0 ? { IS_SANDBOX: "1" } : {};
}

const fixed = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  DISABLE_AUTOUPDATER: "1",
  CLAUDE_CODE_MAX_RETRIES: retries,
};

const claude: ProgramInfo = {
  package: "@anthropic-ai/claude-code",
  // The oldest version with the flags of argv.ts.
  oldest: [2, 1, 0],
  env: { DISABLE_AUTOUPDATER: "1", CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1" },
  login:
    "start `claude` once and log in, or set ANTHROPIC_API_KEY, or CLAUDE_CODE_OAUTH_TOKEN from `claude setup-token`",
};

function probeClaude(options: ProbeOptions): Promise<Probe> {
  return probeProgram(options, claude);
}
