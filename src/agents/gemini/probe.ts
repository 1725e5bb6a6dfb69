import type { Probe } from "../agent.ts";
import { probeProgram, type Known, type ProbeOptions } from "../probe-program.ts";

const gemini: Known = {
  package: "@google/gemini-cli",
  // The oldest version whose flags, settings and files are known to be those that are used here.
  oldest: [0, 61, 0],
  env: { GEMINI_CLI_NO_RELAUNCH: "true" },
  login: "start `gemini` once and log in, or set GEMINI_API_KEY or GOOGLE_API_KEY",
};

export function probeGemini(options: ProbeOptions): Promise<Probe> {
  return probeProgram(options, gemini);
}
