/** Any program as an agent: it gets the prompt, works in its folder and says what it did (docs/agents.md). */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Agent, AgentSpec, Probe } from "../agent.ts";
import { findProgram } from "../find-program.ts";
import { runEventLineTurn } from "../event-line-turn.ts";

export interface CommandOptions {
  readonly name: string;
  readonly vendor: string;
  /** The program and its arguments; `{prompt}` in an argument stands for the path of a file that holds the prompt. */
  readonly run: readonly [string, ...string[]];
  /** Variables handed on to it beside those that every agent gets. */
  readonly env: Readonly<Record<string, string>>;
  /** Folders where a program given by name is looked for, as in PATH. */
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
    why: `there is no program ${file}`,
    hint: `install it, or mend \`agents.commands.${name}.run\` in mettle.yaml`,
  };
}

/** Outside the workspace, so that the prompt is never taken for work. */
async function promptFile(spec: AgentSpec): Promise<string> {
  await mkdir(spec.home, { recursive: true });
  const file = join(spec.home, "prompt.md");
  await writeFile(file, spec.prompt);
  return file;
}

/** What a program cannot know from its prompt. */
function turnVariables({ role, conversation, tools, model }: AgentSpec): Readonly<Record<string, string>> {
  return {
    METTLE_ROLE: role,
    METTLE_CONVERSATION: conversation.id,
    METTLE_TURN: conversation.type,
    METTLE_TOOLS: tools.join(","),
    ...(model === null ? {} : { METTLE_MODEL: model }),
  };
}
