/** The real coding agents, if `npm run test:agents` has installed them; else tests that need one are skipped with a note. */
import { describe } from "vitest";

/** Runs tests with the path of the real Claude Code, in a describe that says if it is missing. */
export function withRealClaude(title: string, tests: (file: string) => void): void {
  withReal(title, { name: "Claude Code", file: process.env["METTLE_TEST_CLAUDE"] }, tests);
}

export function withRealGemini(title: string, tests: (file: string) => void): void {
  withReal(title, { name: "Gemini CLI", file: process.env["METTLE_TEST_GEMINI"] }, tests);
}

export function withRealCodex(title: string, tests: (file: string) => void): void {
  withReal(title, { name: "Codex", file: process.env["METTLE_TEST_CODEX"] }, tests);
}

export function withRealOpencode(title: string, tests: (file: string) => void): void {
  withReal(title, { name: "OpenCode", file: process.env["METTLE_TEST_OPENCODE"] }, tests);
}

interface Real {
  readonly name: string;
  readonly file: string | undefined;
}

function withReal(title: string, { name, file }: Real, tests: (file: string) => void): void {
  const why =
    file === undefined ? ` (SKIPPED: needs the real ${name}; \`npm run test:agents\` brings it)` : "";
  describe.skipIf(file === undefined)(`${title}${why}`, () => {
    tests(file ?? "");
  });
}
