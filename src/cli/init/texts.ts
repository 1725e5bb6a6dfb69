/** The initial texts of files that the user edits. */
import { defaultSettings } from "../../config/settings.ts";
import { runners } from "../../evidence/runners/registry.ts";
import type { Project } from "./project.ts";

export const protocolsReadme = `# Your own protocols

One YAML file each: \`NAME.yaml\`. A file with the name of a shipped protocol takes its place; \`extends\` builds on one.

- \`mettle protocol list\` shows all of them
- \`mettle protocol check .mettle/protocols/NAME.yaml\` says what is wrong with a file
- \`mettle protocol graph NAME\` draws it
`;

export const templatesReadme = `# Your own templates

A file here with the name of a shipped template takes its place in new runs, \`planner.md\` for example.
A run keeps the templates it started with.
`;

export const schemaPath = ".mettle/settings.schema.json";

/**
 * In the text `#key` is a setting with its default, commented out; `# Words` is a comment.
 * @param session the protocol of the user's own sessions, if it shall be set
 */
export function settingsText(
  { agents, runner, runners: found, packages, sources, tests }: Project,
  session: string | null = null,
): string {
  const defaults = defaultSettings().paths;
  const own = sources.length + tests.length > 0;
  const lines = [
    `# yaml-language-server: $schema=${schemaPath}`,
    "# Settings of Mettle, frozen by hash when a run starts. Only the version must be there;",
    "# a line that begins with # and a key shows what holds without it.",
    "version: 1",
    "",
    "# Who plays which role: claude, claude:MODEL, scripted:FILE for a cassette, or the name of a program of your own under",
    "# commands, mine: { run: [my-agent, '{prompt}'] } for example. programs says where an agent lies that is not on PATH,",
    "# and env names variables that are handed on to agents.",
    `# Found on PATH when this file was written: ${list(agents)}.`,
    "#agents:",
    "#  default: claude",
    "#  roles: {}",
    "#  commands: {}",
    "#  programs: {}",
    "#  env: []",
    "",
    "# Where tests and source are. Nobody but the test writer changes tests, and the implementer changes only source.",
    own ? "paths:" : "#paths:",
    patterns("tests", defaults.tests, tests.length > 0 ? [...defaults.tests, ...tests] : []),
    patterns("source", defaults.source, sources),
    "",
    `# What runs the tests: ${Object.keys(runners).join(", ")}. Found here: ${list(found)}.`,
    ...runnerLines(runner, packages),
    "",
    ...(session === null
      ? []
      : ["# The protocol that a session of yours begins with.", `session: { protocol: ${session} }`, ""]),
    "# Tries of the protocol's counters, gate1: 3 for example.",
    "#limits: {}",
    "",
    "# How long an agent may work, may be silent, and how long the tests may run.",
    '#deadlines: { wall: "30m", idle: "10m", test: "10m" }',
    "",
  ];
  return lines.join("\n");
}

function runnerLines(runner: string | null, packages: Project["packages"]): readonly string[] {
  if (runner !== null) return [`runner: "${runner}"`];
  const named = Object.entries(packages);
  if (named.length === 0) return ["# Without this line it is looked for when a run starts."];
  return [
    "# One line for each package; `none` leaves its tests out. A package without a line is looked at when a run starts.",
    "packages:",
    ...named.map(([folder, name]) => `  ${JSON.stringify(folder)}: ${JSON.stringify(name)}`),
  ];
}

/** The project's own patterns, else the defaults as a comment. */
function patterns(key: string, defaults: readonly string[], own: readonly string[]): string {
  const text = (list: readonly string[]) =>
    `  ${key}: [${list.map((each) => JSON.stringify(each)).join(", ")}]`;
  return own.length > 0 ? text(own) : `#${text(defaults)}`;
}

function list(names: readonly string[]): string {
  return names.length === 0 ? "none" : names.join(", ");
}
