/** OpenCode, headless: one process per turn; events and result come from its stream (CORE-50 to 53). */
import { systemClock } from "../../lib/clock.ts";
import type { Agent, Conversation, Probe } from "../agent.ts";
import { findProgram } from "../../process/find-program.ts";
import { conversationIds } from "../conversation-ids.ts";
import { runProgram, withLastLines } from "../program.ts";
import { prepareHome } from "./home.ts";
import { outcomeOf } from "./outcome.ts";
import { projectCode } from "./project-code.ts";
import { modelOf, type Models } from "./settings.ts";
import { opencodeTurn } from "./turn.ts";
import { vendorOf } from "./vendor.ts";
import { probeProgram, type ProgramInfo, type ProbeOptions } from "../probe-program.ts";

export interface OpencodeOptions {
  /** `opencode`, or the path of the program. */
  readonly file: string;
  readonly path: string;
  /** HOME of `--version`. */
  readonly home: string;
  /** Environment variables for provider keys and the network. */
  readonly env: Readonly<Record<string, string>>;
  /** The user's login file; null: none. */
  readonly credentials: string | null;
  readonly loggedIn: boolean;
  /** The user's providers, and the model for roles whose template names none. */
  readonly models: Models;
}

export function opencodeAgent(options: OpencodeOptions): Agent {
  const { file, path, home: probeHome, env, credentials, loggedIn, models } = options;
  let ready: Probe | null = null;
  return {
    name: "opencode",
    vendor: vendorOf(models.model),
    remembers: true,
    async probe() {
      if (ready !== null) return ready;
      const probe = await probeOpencode({ file, path, home: probeHome, loggedIn });
      if (probe.type === "ready") ready = probe;
      return probe;
    },
    async start(spec, sink, signal) {
      const code = await projectCode(spec.cwd);
      if (code !== null) return { type: "crashed", text: "", why: projectCodeError(code) };
      const canSearch = (await findProgram("rg", spec.env["PATH"] ?? "")) !== null;
      const model = modelOf(spec.model, models.model);
      const home = await prepareHome({ spec, models: { ...models, model }, canSearch, credentials });
      const sessions = conversationIds(home.folder);
      await sessions.begin(spec.conversation);
      const known = sourceConversation(spec.conversation);
      // OpenCode itself reports an unknown id.
      const session = known === null ? null : ((await sessions.find(known)) ?? known);
      const waiting = new AbortController();
      const turn = opencodeTurn({ sink, onLongWait: () => waiting.abort(), now: systemClock.now });
      const ended = await runProgram(
        {
          file,
          argv: argvOf(spec.conversation, session),
          // OpenCode uses PWD as its working folder.
          env: { ...spec.env, ...env, ...fixed, ...home.env, PWD: spec.cwd },
          input: spec.prompt,
          login: credentials,
          onLine: turn.onLine,
        },
        spec,
        AbortSignal.any([signal, waiting.signal]),
      );
      if (turn.session !== null) await sessions.keep(spec.conversation.id, turn.session);
      return withLastLines(outcomeOf({ ended, turn, schema: spec.schema, stopped: signal.aborted }), ended);
    },
  };
}

function projectCodeError(code: string): string {
  return `OpenCode would run code of the project, from ${code}, in the process of each role: take it out, or name another agent`;
}

function sourceConversation(conversation: Conversation): string | null {
  if (conversation.type === "new") return null;
  return conversation.type === "fork" ? conversation.parent : conversation.id;
}

/** The prompt goes to standard input, the settings to a file; no argument contains a secret. */
function argvOf({ type }: Conversation, session: string | null): readonly string[] {
  // Without a title OpenCode asks a model for one.
  const sessionArgs = session === null ? ["--title", "mettle"] : ["--session", session];
  return ["run", "--format", "json", ...sessionArgs, ...(type === "fork" ? ["--fork"] : [])];
}

const fixed = {
  // No memory, setting, plugin, skill or command of the project.
  OPENCODE_DISABLE_PROJECT_CONFIG: "1",
  OPENCODE_DISABLE_CLAUDE_CODE: "1",
  OPENCODE_DISABLE_EXTERNAL_SKILLS: "1",
  // No downloads at start-up; OpenCode includes a list of models.
  OPENCODE_DISABLE_AUTOUPDATE: "1",
  OPENCODE_DISABLE_MODELS_FETCH: "1",
  OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
  OPENCODE_DISABLE_SHARE: "1",
  NO_COLOR: "1",
};

const opencode: ProgramInfo = {
  package: "opencode-ai",
  // The oldest version that is known to have the flags, settings and files used here.
  oldest: [1, 18, 33],
  env: { OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1" },
  login:
    "start `opencode auth login` once, set the key of a provider, or describe one in ~/.config/opencode/opencode.json",
};

function probeOpencode(options: ProbeOptions): Promise<Probe> {
  return probeProgram(options, opencode);
}
