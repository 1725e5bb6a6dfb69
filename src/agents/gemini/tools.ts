/**
 * Which tools a role has, told twice: as the only ones that exist, and by a policy that denies everything else and lets these
 * work without a question. A tool that is taken away is neither offered to the model nor run when the model calls it all the
 * same (measured on 0.61.0). Twice, since the CLI passes over a policy that it cannot read.
 */

/** The seeds' names -> the CLI's. */
const names: Readonly<Record<string, readonly string[]>> = {
  Read: ["read_file", "read_many_files", "list_directory"],
  Glob: ["glob", "list_directory"],
  Grep: ["grep_search"],
  Write: ["write_file"],
  Edit: ["replace"],
  Bash: ["run_shell_command"],
};

export function ownTools(tools: readonly string[]): readonly string[] {
  return [...new Set(tools.flatMap((tool) => names[tool] ?? []))];
}

/** TOML, as `.gemini/policies/*.toml` holds it. @param own the CLI's names */
export function policyOf(own: readonly string[]): string {
  return [
    rule("*", "deny", "priority = 900"),
    // A command with `>` in it would be asked about, and nobody is there to answer.
    ...own.map((name) => rule(name, "allow", "priority = 999\nallowRedirection = true")),
  ].join("\n");
}

function rule(tool: string, decision: "allow" | "deny", rest: string): string {
  return `[[rule]]\ntoolName = ${JSON.stringify(tool)}\ndecision = "${decision}"\n${rest}\n`;
}
