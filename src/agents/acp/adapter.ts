/** An agent that speaks the Agent Client Protocol: one process per turn; the agent stores its own sessions (docs/agents.md). */
import { join } from "node:path";
import type { Agent, Probe } from "../agent.ts";
import { findProgram, notInstalled } from "../../process/find-program.ts";
import { runEventLineTurn } from "../event-line-turn.ts";
import { ProbeResult, type AcpRequest, type AcpTurn } from "./request.ts";

export interface AcpOptions {
  readonly name: string;
  readonly vendor: string;
  /** The agent's program and its arguments. */
  readonly run: readonly [string, ...string[]];
  /** Id of the login method to request; null: the agent is logged in, or needs no login. */
  readonly login: string | null;
  /** Environment variables for this agent, in addition to those of every agent. */
  readonly env: Readonly<Record<string, string>>;
  /** Folders to search for a program given by name, as in PATH. */
  readonly path: string;
  /** Working folder of the probe. */
  readonly home: string;
  /** Absolute path of the built caller. */
  readonly caller: string;
  /** Absolute path of the Node.js program that runs the caller. */
  readonly node: string;
}

/** Time limit of the probe. */
const probeMs = 30_000;

export function acpAgent(options: AcpOptions): Agent {
  const { name, vendor, run, login, env, caller, node } = options;
  let probed: ProbeResult | null = null;
  const program = (cwd: string, turn: AcpTurn | null) => ({
    file: node,
    argv: [caller],
    input: JSON.stringify({ run, cwd, login, turn } satisfies AcpRequest),
    starts: run,
  });
  return {
    name,
    vendor,
    /** Known after the probe. */
    get remembers() {
      return probed?.remembers ?? false;
    },
    async probe() {
      if (probed === null) {
        const found = await probeProgram(options, program(options.home, null));
        if ("why" in found) return missing(options, found.why);
        probed = found;
      }
      return { type: "ready", version: probed.version };
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
  if ((await findProgram(file, path)) === null) return { why: notInstalled(file) };
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
  return {
    type: "missing",
    why,
    hint: `install it, or correct \`agents.commands.${name}.acp\` in mettle.yaml`,
  };
}
