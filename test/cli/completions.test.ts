/** The printed completions in real shells, if they are installed. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { shells, type Shell } from "../../src/lib/command-line/completions.ts";
import { newFolder } from "../support/folder.ts";
import { callHere } from "./here.ts";

const folder = newFolder();

/** What a shell offers for an incomplete last word. */
const asking: Readonly<Record<Shell, (script: string, words: readonly string[]) => readonly string[]>> = {
  bash: (script, words) => [
    "--norc",
    "--noprofile",
    "-c",
    `source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _$1; printf '%s\\n' "\${COMPREPLY[@]}"`,
    script,
    ...words,
  ],
  // The completion system needs a terminal, so stubs print what is passed to it.
  zsh: (script, words) => [
    "-fc",
    `compdef() {}; _files() {}; _describe() { print -rl -- "\${(@P)2}" }
     source "$0"; words=("$@"); CURRENT=$#; prefix=$words[-1]; _$1 | while read -r line; do
     [[ $line == $prefix* ]] && print -r -- "\${line%%:*}"; done; true`,
    script,
    ...words,
  ],
  fish: (script, words) => [
    "--no-config",
    "-c",
    `cd (mktemp -d); source $argv[1]; complete -C "$argv[2]" | string replace -r '\\t.*' ''`,
    script,
    words.join(" "),
  ],
};

const isInstalled = (shell: Shell) => spawnSync(shell, ["-c", "exit 0"]).status === 0;

describe.each(shells)("%s", (shell) => {
  test.skipIf(!isInstalled(shell))(
    `completes commands, options and values (needs ${shell} on PATH)`,
    async () => {
      const env = { PATH: process.env["PATH"] ?? "" };
      const { code, stdout } = await callHere(["completions", shell], { cwd: folder, env });
      expect(code).toBe(0);
      const script = join(folder, shell);
      writeFileSync(script, stdout);
      const offered = (line: string) => {
        const { stdout, stderr } = spawnSync(shell, asking[shell](script, line.split(" ")), {
          encoding: "utf8",
          timeout: 20_000,
          env: { ...process.env, HOME: folder },
        });
        expect([line, stderr]).toEqual([line, ""]);
        return stdout.split("\n").filter((word) => word !== "");
      };
      expect(offered("mettle ")).toEqual(expect.arrayContaining(["run", "memory", "completions"]));
      for (const [line, words] of [
        ["mettle re", ["reject", "resume"]],
        ["mettle mem", ["memory"]],
        ["mettle memory ", ["show", "check", "query", "import", "export"]],
        ["mettle memory check --protocol ", ["riper", "dptr"]],
        ["mettle --json run task --max", ["--max-depth"]],
        ["mettle gate r", ["red", "refactor"]],
        ["mettle run --spec ", []],
        ["mettle completions ", [...shells, "--json", "--debug", "--help"]],
        ["envoy plan rec", ["record-implementation"]],
        ["envoy git commit 1 --m", ["--message"]],
      ] as const)
        expect([line, offered(line).toSorted()]).toEqual([line, words.toSorted()]);
    },
  );
});

test("an unknown shell is refused with the list of supported ones", async () => {
  const { code, stderr } = await callHere(["completions", "csh"], { cwd: folder, env: {} });
  expect([code, stderr]).toEqual([
    2,
    "error[usage]: <shell> is one of bash, zsh, fish, not csh\nhint: did you mean zsh?\n",
  ]);
});
