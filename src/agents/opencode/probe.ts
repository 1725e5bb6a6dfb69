import type { Probe } from "../agent.ts";
import { probeProgram, type Known, type ProbeOptions } from "../probe-program.ts";

const opencode: Known = {
  package: "opencode-ai",
  // The oldest version whose flags, settings and files are known to be those that are used here.
  oldest: [1, 18, 33],
  env: { OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1" },
  login:
    "start `opencode auth login` once, set the key of a provider, or describe one in ~/.config/opencode/opencode.json",
};

export function probeOpencode(options: ProbeOptions): Promise<Probe> {
  return probeProgram(options, opencode);
}
