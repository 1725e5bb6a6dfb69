/** The Gemini CLI, headless: one process per turn; events and result come from its stream (CORE-50 to 53). */
import type { Agent, Probe } from "../agent.ts";
import { runProgram, withLastLines } from "../program.ts";
import { argvOf, modelOf } from "./argv.ts";
import { prepareHome, type GeminiLogin } from "./home.ts";
import { outcomeOf } from "./outcome.ts";
import { geminiTurn } from "./turn.ts";
import { probeProgram, type ProgramInfo, type ProbeOptions } from "../probe-program.ts";

export interface GeminiOptions {
  /** `gemini`, or the path of the program. */
  readonly file: string;
  readonly path: string;
  /** HOME of `--version`. */
  readonly home: string;
  /** Environment variables for the login and the model service. */
  readonly env: Readonly<Record<string, string>>;
  /** Null: not logged in. */
  readonly login: GeminiLogin | null;
  /** Model for roles whose template names no Gemini model. */
  readonly model: string | null;
}

export function geminiAgent(options: GeminiOptions): Agent {
  const { file, path, home: probeHome, env, login } = options;
  let ready: Probe | null = null;
  return {
    name: "gemini",
    vendor: "google",
    remembers: true,
    withoutMcp: true,
    async probe() {
      if (ready !== null) return ready;
      const probe = await probeGemini({ file, path, home: probeHome, loggedIn: login !== null });
      if (probe.type === "ready") ready = probe;
      return probe;
    },
    async start(spec, sink, signal) {
      const home = await prepareHome(spec, login ?? { auth: "gemini-api-key", credentials: null });
      const turn = geminiTurn(sink);
      const model = modelOf(spec.model, options.model);
      const ended = await runProgram(
        {
          file,
          argv: argvOf({ conversation: spec.conversation, model }),
          env: { ...spec.env, ...env, ...fixed, GEMINI_CLI_HOME: home.folder },
          input: home.input,
          login: login?.credentials ?? null,
          onLine: turn.onLine,
          busy: () => turn.busy,
        },
        spec,
        signal,
      );
      turn.end();
      return withLastLines(outcomeOf({ ended, turn, structured: spec.schema !== null }), ended);
    },
  };
}

const fixed = {
  // The CLI reads no memory, setting, hook, command or variable of an untrusted folder (ADR 0008).
  GEMINI_CLI_TRUST_WORKSPACE: "false",
  // Otherwise the CLI restarts itself with a larger heap, which takes seconds.
  GEMINI_CLI_NO_RELAUNCH: "true",
  // No person is there to log in.
  NO_BROWSER: "true",
  NO_COLOR: "1",
};

const gemini: ProgramInfo = {
  package: "@google/gemini-cli",
  // The oldest version that is known to have the flags, settings and files used here.
  oldest: [0, 61, 0],
  env: { GEMINI_CLI_NO_RELAUNCH: "true" },
  login: "start `gemini` once and log in, or set GEMINI_API_KEY or GOOGLE_API_KEY",
};

function probeGemini(options: ProbeOptions): Promise<Probe> {
  return probeProgram(options, gemini);
}
