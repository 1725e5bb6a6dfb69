/** The texts of the files in which a person goes on writing. */
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

/** In the text `#key` is a setting that is switched off, with its default; `# Words` are words. */
export function settingsText(project: Project): string {
  const usable = project.runners.filter((name) => Object.hasOwn(runners, name));
  const one = usable.length === 1 ? usable[0] : undefined;
  const elsewhere = project.sources.length > 0 && !project.sources.includes("src");
  const lines = [
    `# yaml-language-server: $schema=${schemaPath}`,
    "# Settings of Mettle, frozen by hash when a run starts. Only the version must be there;",
    "# a line that begins with # and a key shows what holds without it.",
    "version: 1",
    "",
    "# Who plays which role: the name of an agent, or scripted:FILE for a cassette.",
    `# Found on PATH when this file was written: ${list(project.agents)}.`,
    "#agents:",
    "#  default: claude",
    "#  roles: {}",
    "",
    "# Where tests and source are. Nobody but the test writer changes tests, and the implementer changes only source.",
    elsewhere ? "paths:" : "#paths:",
    '#  tests: ["test/", "tests/", "**/__tests__/", "**/*.test.*", "**/*.spec.*", "**/test_*.py", "**/*_test.py", "**/conftest.py", "**/*_test.go"]',
    elsewhere
      ? `  source: [${project.sources.map((name) => (name.includes("*") ? `"${name}"` : `"${name}/"`)).join(", ")}]`
      : '#  source: ["src/"]',
    "",
    `# What runs the tests: ${Object.keys(runners).join(" or ")}. Found here: ${list(project.runners)}.`,
    one === undefined ? "# Without this line it is looked for when a run starts." : `runner: "${one}"`,
    "",
    "# Tries of the protocol's counters, gate1: 3 for example.",
    "#limits: {}",
    "",
    "# How long an agent may work, may be silent, and how long the tests may run.",
    '#deadlines: { wall: "30m", idle: "10m", test: "10m" }',
    "",
  ];
  return lines.join("\n");
}

function list(names: readonly string[]): string {
  return names.length === 0 ? "none" : names.join(", ");
}
