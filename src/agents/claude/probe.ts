import type { Probe } from "../agent.ts";
import { probeProgram, type Known, type ProbeOptions } from "../probe-program.ts";

const claude: Known = {
  package: "@anthropic-ai/claude-code",
  // The oldest version whose flags are those of argv.ts.
  oldest: [2, 1, 0],
  env: { DISABLE_AUTOUPDATER: "1", CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1" },
  login:
    "start `claude` once and log in, or set ANTHROPIC_API_KEY, or CLAUDE_CODE_OAUTH_TOKEN from `claude setup-token`",
};

export function probeClaude(options: ProbeOptions): Promise<Probe> {
  return probeProgram(options, claude);
}
