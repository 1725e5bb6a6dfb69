/** Codex, headless: one process per turn; events and result come from its stream (CORE-50 to 53). */
import type { Agent, AgentEvent, Probe } from "../agent.ts";
import { conversationIds } from "../conversation-ids.ts";
import { runProgram, withLastLines } from "../program.ts";
import { argvOf, modelOf } from "./argv.ts";
import { prepareHome } from "./home.ts";
import { outcomeOf } from "./outcome.ts";
import { recordOf } from "./record.ts";
import { sandboxOf, type CodexLogin } from "./settings.ts";
import { codexTurn, type CodexTurn } from "./turn.ts";
import { probeProgram, type ProgramInfo, type ProbeOptions } from "../probe-program.ts";

export interface CodexOptions {
  /** `codex`, or the path of the program. */
  readonly file: string;
  readonly path: string;
  /** HOME of `--version`. */
  readonly home: string;
  /** Environment variables for the login and the network. */
  readonly env: Readonly<Record<string, string>>;
  /** Null: not logged in. */
  readonly login: CodexLogin | null;
  /** URL of the model service; null: the default. */
  readonly baseUrl: string | null;
  /** Model for roles whose template names no model of OpenAI; null: Codex's default. */
  readonly model: string | null;
}

export function codexAgent(options: CodexOptions): Agent {
  const { file, path, home: probeHome, env, login, baseUrl } = options;
  let ready: Probe | null = null;
  return {
    name: "codex",
    vendor: "openai",
    remembers: true,
    ownSandbox: (tools) => (sandboxOf(tools) === "danger-full-access" ? null : sandboxOf(tools)),
    async probe() {
      if (ready !== null) return ready;
      const probe = await probeCodex({ file, path, home: probeHome, loggedIn: login !== null });
      if (probe.type === "ready") ready = probe;
      return probe;
    },
    async start(spec, sink, signal) {
      const { conversation } = spec;
      const model = modelOf(spec.model, options.model);
      const home = await prepareHome({ spec, login, baseUrl, model });
      const threads = conversationIds(home.folder);
      await threads.begin(conversation);
      const known = conversation.type === "new" ? null : idOf(conversation);
      // Codex itself reports an unknown id.
      const thread = known === null ? null : ((await threads.find(known)) ?? known);
      const turn = codexTurn(sink);
      const ended = await runProgram(
        {
          file,
          argv: argvOf({ type: conversation.type, thread, schema: home.schema }),
          env: { ...spec.env, ...env, ...fixed, CODEX_HOME: home.folder, TMPDIR: home.tmp },
          input: spec.prompt,
          login: login?.type === "file" ? login.file : null,
          onLine: turn.onLine,
        },
        spec,
        signal,
      );
      if (turn.thread !== null) await threads.keep(conversation.id, turn.thread);
      for (const event of await eventsFromRecord(turn, home.folder)) sink(event);
      return withLastLines(outcomeOf({ ended, turn, schema: spec.schema }), ended);
    },
  };
}

const fixed = { NO_COLOR: "1" };

function idOf(conversation: { readonly id: string; readonly parent?: string }): string {
  return conversation.parent ?? conversation.id;
}

/** Events that the stream lacks: denied tool calls, and the token usage of this turn. */
async function eventsFromRecord({ thread }: CodexTurn, folder: string): Promise<readonly AgentEvent[]> {
  const record = thread === null ? null : await recordOf(folder, thread);
  if (record === null) return [];
  return [...record.denied.map((call) => ({ type: "denied" as const, ...call })), record.usage];
}

const codex: ProgramInfo = {
  package: "@openai/codex",
  // The oldest version that is known to have the flags, settings and files used here.
  oldest: [0, 171, 0],
  env: {},
  login: "start `codex login` once, or set OPENAI_API_KEY",
};

function probeCodex(options: ProbeOptions): Promise<Probe> {
  return probeProgram(options, codex);
}
