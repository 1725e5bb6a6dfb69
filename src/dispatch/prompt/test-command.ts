/** The command with which an agent may run the tests. Only the runtime's own run counts. */
import type { Settings } from "../../config/settings.ts";

/** @returns undefined if no runner is known */
export function testCommand({
  runner,
  packages = {},
}: Pick<Settings, "runner" | "packages">): string | undefined {
  const all = [[".", runner ?? ""] as const, ...Object.entries(packages)].flatMap(([folder, name]) => {
    const command = commands[name];
    return command === undefined ? [] : [folder === "." ? command : `${command} (in ${folder})`];
  });
  return all.length === 0 ? undefined : all.join("; ");
}

const commands: Readonly<Record<string, string>> = {
  "node:test": "node --test",
  vitest: "npx vitest run",
  jest: "npx jest",
  mocha: "npx mocha",
  pytest: "python3 -m pytest",
  unittest: "python3 -m unittest discover",
  go: "go test ./...",
  cargo: "cargo test",
  bun: "bun test",
};
