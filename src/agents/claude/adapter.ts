/** Claude Code, headless: one process a turn, its events and its result read from the stream (CORE-50 to 53). */
import type { Agent, AgentSpec, Probe } from "../agent.ts";
import { runProgram, withLastLines } from "../program.ts";
import { argvOf } from "./argv.ts";
import { prepareHome } from "./home.ts";
import { outcomeOf } from "./outcome.ts";
import { forksOfClaude } from "./transcripts.ts";
import { claudeTurn } from "./turn.ts";
import { probeProgram, type ProgramInfo, type ProbeOptions } from "../probe-program.ts";

export interface ClaudeOptions {
  /** `claude`, or the path of another one. */
  readonly file: string;
  readonly path: string;
  /** A folder for `--version` to call home. */
  readonly home: string;
  /** Variables handed on: the login, and where its model answers. */
  readonly env: Readonly<Record<string, string>>;
  /** The user's login file, null where a variable carries the login. */
  readonly credentials: string | null;
  readonly loggedIn: boolean;
  /** Asked for where the role's template names no model. */
  readonly model: string | null;
}

/** Without a bound a wrong key would be tried for three minutes (research, agents 2). */
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
      const asked = { ...spec, model: spec.model ?? options.model };
      const ended = await runProgram(
        {
          file: options.file,
          argv: argvOf(asked, home),
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
        outcomeOf({ ended, result: turn.result, text: turn.text, structured: spec.schema !== null }),
        ended,
      );
    },
  };
}

/** As root it refuses to work without questions unless it is told this; where it is confined it is not root. */
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
  // The oldest version whose flags are those of argv.ts.
  oldest: [2, 1, 0],
  env: { DISABLE_AUTOUPDATER: "1", CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1" },
  login:
    "start `claude` once and log in, or set ANTHROPIC_API_KEY, or CLAUDE_CODE_OAUTH_TOKEN from `claude setup-token`",
};

function probeClaude(options: ProbeOptions): Promise<Probe> {
  return probeProgram(options, claude);
}
