// The real coding agents that the tests drive, in pinned versions and outside the repository: they are large.
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** Variable for the tests -> the package, its version, and the program in it. */
export const realAgents = {
  METTLE_TEST_CLAUDE: { package: "@anthropic-ai/claude-code", version: "2.1.332", program: "claude" },
  METTLE_TEST_GEMINI: { package: "@google/gemini-cli", version: "0.61.0", program: "gemini" },
  METTLE_TEST_CODEX: { package: "@openai/codex", version: "0.171.0", program: "codex" },
  METTLE_TEST_OPENCODE: { package: "opencode-ai", version: "1.18.33", program: "opencode" },
};

export function folderOf({ package: name, version }) {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
  return join(cache, "mettle", "agents", `${name.replaceAll("/", "+")}@${version}`);
}

export function programOf(agent) {
  return join(folderOf(agent), "node_modules", ".bin", agent.program);
}

/** The variables of the installed agents, for the tests. */
export function installedAgents() {
  return Object.fromEntries(
    Object.entries(realAgents).flatMap(([variable, agent]) =>
      existsSync(programOf(agent)) ? [[variable, programOf(agent)]] : [],
    ),
  );
}
