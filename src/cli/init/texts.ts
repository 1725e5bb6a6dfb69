/** The initial texts of files that the user edits. */
import { defaultSettings } from "../../config/settings.ts";
import { runners } from "../../evidence/runners/registry.ts";
import type { InitProject } from "./project.ts";

export const protocolsReadme = `# Your own protocols

One YAML file each: \`NAME.yaml\`. A file with the name of a shipped protocol replaces it; \`extends\` builds on one.

- \`mettle protocol list\` shows all of them
- \`mettle protocol check .mettle/protocols/NAME.yaml\` reports the errors of a file
- \`mettle protocol graph NAME\` draws it
`;

export const templatesReadme = `# Your own templates

A file here with the name of a shipped template, for example \`planner.md\`, replaces it in new runs.
A run keeps the templates it started with.
`;

export const schemaPath = ".mettle/settings.schema.json";

/**
 * In the text `#key` is a setting with its default, commented out; `# Words` is a comment.
 * @param session the protocol of the user's own sessions, if it shall be set
 */
export function settingsText(
  { agents, runner, runners: found, packages }: InitProject,
  session: string | null = null,
): string {
  const { tests } = defaultSettings().paths;
  const lines = [
    `# yaml-language-server: $schema=${schemaPath}`,
    "# Settings of Mettle, frozen by hash when a run starts. Only the version is required;",
    "# a line that begins with # and a key shows the default.",
    "version: 1",
    "",
    "# The protocol of a run that names none: orchestrate, riper, dptr, graph, or one of your own.",
    "#protocol: orchestrate",
    "",
    "# The agent of each role: claude, claude:MODEL, scripted:FILE for a cassette, or the name of your own program under",
    "# commands, for example mine: { run: [my-agent, '{prompt}'] }. programs has the path of an agent that is not on PATH,",
    "# and env the names of variables that agents get.",
    `# Found on PATH when this file was written: ${list(agents)}.`,
    "#agents:",
    "#  default: claude",
    "#  roles: {}",
    "#  commands: {}",
    "#  programs: {}",
    "#  env: []",
    "",
    "# Where tests are, and what a run finds beside them. Only the test writer changes them. The implementer changes only",
    "# source: every file that is neither test, fixture nor configuration, or the folders of `source: [src/, lib/]`.",
    "#paths:",
    `#  tests: [${tests.map((each) => JSON.stringify(each)).join(", ")}]`,
    "",
    `# The test runner: ${Object.keys(runners).join(", ")}. Found here: ${list(found)}.`,
    ...runnerLines(runner, packages),
    "",
    ...(session === null
      ? []
      : ["# The protocol of your own sessions.", `session: { protocol: ${session} }`, ""]),
    "# Limits of the protocol's counters, for example gate1: 3.",
    "#limits: {}",
    "",
    "# Caps on money, tokens, turns and time, for example usd: 5; also of one role and of a day.",
    "#budget: {}",
    "",
    "# How you are told that a run waits or has ended is set under notify: command, desktop, webhook, push, link.",
    "",
    "# How long an agent may work, how long it may be silent, and how long the tests may run.",
    '#deadlines: { wall: "30m", idle: "10m", test: "10m" }',
    "",
  ];
  return lines.join("\n");
}

function runnerLines(runner: string | null, packages: InitProject["packages"]): readonly string[] {
  if (runner !== null) return [`runner: "${runner}"`];
  const named = Object.entries(packages);
  if (named.length === 0) return ["# Without this line a run detects the runner when it starts."];
  return [
    "# One line for each package; `none` leaves its tests out. A run detects the runner of a package without a line.",
    "packages:",
    ...named.map(([folder, name]) => `  ${JSON.stringify(folder)}: ${JSON.stringify(name)}`),
  ];
}

export function list(names: readonly string[]): string {
  return names.length === 0 ? "none" : names.join(", ");
}
