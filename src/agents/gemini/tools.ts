/**
 * The tools of a role, set twice: as the list of core tools, and by a policy that allows them without a question and denies
 * the rest. The CLI neither offers a removed tool to the model nor runs it (measured on 0.61.0). Twice, since the CLI ignores
 * a policy that it cannot read.
 */

/** Tool names of the protocol -> those of the CLI. */
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

/** The TOML text of `.gemini/policies/*.toml`. @param own tool names of the CLI */
export function policyOf(own: readonly string[]): string {
  return [
    rule("*", "deny", "priority = 900"),
    // Otherwise the CLI asks before a command with `>`, and no person is there to answer.
    ...own.map((name) => rule(name, "allow", "priority = 999\nallowRedirection = true")),
  ].join("\n");
}

function rule(tool: string, decision: "allow" | "deny", rest: string): string {
  return `[[rule]]\ntoolName = ${JSON.stringify(tool)}\ndecision = "${decision}"\n${rest}\n`;
}
