import type { Probe } from "../agent.ts";
import { probeProgram, type Known, type ProbeOptions } from "../probe-program.ts";

const codex: Known = {
  package: "@openai/codex",
  // The oldest version whose flags, settings and files are known to be those that are used here.
  oldest: [0, 171, 0],
  env: {},
  login: "start `codex login` once, or set OPENAI_API_KEY",
};

export function probeCodex(options: ProbeOptions): Promise<Probe> {
  return probeProgram(options, codex);
}
