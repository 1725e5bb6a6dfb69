/** Any agent that speaks the Agent Client Protocol: one process a turn, its session kept by the agent itself (docs/agents.md). */
import { join } from "node:path";
import type { Agent, Probe } from "../agent.ts";
import { findProgram } from "../find-program.ts";
import { runEventLineTurn } from "../event-line-turn.ts";
import { ProbeResult, type AcpRequest, type Turn } from "./request.ts";

export interface AcpOptions {
  readonly name: string;
  readonly vendor: string;
  /** The agent's program and its arguments. */
  readonly run: readonly [string, ...string[]];
  /** Id of the way to log in that it is asked to take; null: it is logged in, or needs no login. */
  readonly login: string | null;
  /** Variables handed on to it beside those that every agent gets. */
  readonly env: Readonly<Record<string, string>>;
  /** Folders where a program given by name is looked for, as in PATH. */
  readonly path: string;
  /** A folder for it to be looked at in. */
  readonly home: string;
  /** Absolute path of the built caller. */
  readonly caller: string;
  /** Absolute path of the node that starts it. */
  readonly node: string;
}

/** Longest time to say who it is. */
const probeMs = 30_000;

export function acpAgent(options: AcpOptions): Agent {
  const { name, vendor, run, login, env, caller, node } = options;
  let looked: ProbeResult | null = null;
  const program = (cwd: string, turn: Turn | null) => ({
    file: node,
    argv: [caller],
    input: JSON.stringify({ run, cwd, login, turn } satisfies AcpRequest),
    starts: run,
  });
  return {
    name,
    vendor,
    /** Only the agent knows; it is asked when it is looked at. */
    get remembers() {
      return looked?.remembers ?? false;
    },
    async probe() {
      if (looked === null) {
        const found = await probeProgram(options, program(options.home, null));
        if ("why" in found) return missing(options, found.why);
        looked = found;
      }
      return { type: "ready", version: looked.version };
    },
    start(spec, sink, signal) {
      const { prompt, tools, conversation, mcp } = spec;
      const sessions = join(spec.home, "acp-sessions.json");
      const turn = { prompt, tools, conversation, mcp, sessions };
      return runEventLineTurn({
        program: { ...program(spec.cwd, turn), env: { ...spec.env, ...env } },
        spec,
        sink,
        signal,
      });
    },
  };
}

async function probeProgram(
  { run, env, path, home }: AcpOptions,
  program: { readonly file: string; readonly argv: readonly string[]; readonly input: string },
): Promise<ProbeResult | { readonly why: string }> {
  const [file] = run;
  if ((await findProgram(file, path)) === null) return { why: `there is no program ${file}` };
  const outcome = await runEventLineTurn({
    program: { ...program, env: { PATH: path, HOME: home, ...env } },
    spec: { cwd: home, wallMs: probeMs, idleMs: probeMs },
    sink: () => undefined,
    signal: new AbortController().signal,
  });
  if (outcome.type !== "ok")
    return { why: `${file} does not speak the Agent Client Protocol: ${outcome.why}` };
  return ProbeResult.parse(JSON.parse(outcome.text));
}

function missing({ name }: AcpOptions, why: string): Probe {
  return { type: "missing", why, hint: `install it, or mend \`agents.commands.${name}.acp\` in mettle.yaml` };
}
