/** Any program as an agent: it reads the prompt, works in its folder and reports the result (docs/agents.md). */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Agent, AgentSpec, Probe } from "../agent.ts";
import { findProgram, notInstalled } from "../../process/find-program.ts";
import { runEventLineTurn } from "../event-line-turn.ts";

export interface CommandOptions {
  readonly name: string;
  readonly vendor: string;
  /** The program and its arguments; `{prompt}` in an argument is replaced by the path of a file with the prompt. */
  readonly run: readonly [string, ...string[]];
  /** Environment variables for this agent, in addition to those of every agent. */
  readonly env: Readonly<Record<string, string>>;
  /** Folders to search for a program given by name, as in PATH. */
  readonly path: string;
}

const placeholder = "{prompt}";

export function commandAgent({ name, vendor, run, env, path }: CommandOptions): Agent {
  const [file, ...args] = run;
  const byFile = args.some((arg) => arg.includes(placeholder));
  return {
    name,
    vendor,
    remembers: false,
    withoutMcp: true,
    probe: () => probe(name, file, path),
    async start(spec, sink, signal) {
      const prompt = byFile ? await promptFile(spec) : "";
      const argv = args.map((arg) => arg.replaceAll(placeholder, () => prompt));
      const program = {
        file,
        argv,
        env: { ...spec.env, ...env, ...turnVariables(spec) },
        input: byFile ? "" : spec.prompt,
      };
      return runEventLineTurn({ program, spec, sink, signal });
    },
  };
}

async function probe(name: string, file: string, path: string): Promise<Probe> {
  const found = await findProgram(file, path);
  if (found !== null) return { type: "ready", version: "unknown" };
  return {
    type: "missing",
    why: notInstalled(file),
    hint: `install it, or correct \`agents.commands.${name}.run\` in mettle.yaml`,
  };
}

/** Outside the workspace, so that the prompt is not taken for a change of the agent. */
async function promptFile(spec: AgentSpec): Promise<string> {
  await mkdir(spec.home, { recursive: true });
  const file = join(spec.home, "prompt.md");
  await writeFile(file, spec.prompt);
  return file;
}

/** Facts about the turn that the prompt does not contain. */
function turnVariables({ role, conversation, tools, model }: AgentSpec): Readonly<Record<string, string>> {
  return {
    METTLE_ROLE: role,
    METTLE_CONVERSATION: conversation.id,
    METTLE_TURN: conversation.type,
    METTLE_TOOLS: tools.join(","),
    ...(model === null ? {} : { METTLE_MODEL: model }),
  };
}
