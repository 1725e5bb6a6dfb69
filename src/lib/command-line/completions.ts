/** Shell completion scripts. Each contains the whole table, so that Tab starts no program. */
import { namesOf } from "./help.ts";
import { isShown, optionsOf, type Input, type CommandTable, type CommandRow } from "./row.ts";

export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

/** The completions in one context. */
interface Choice {
  /** Pattern of the option before the cursor and all words before, as `OPTION|WORD WORD `; `*` matches anything. */
  readonly at: string;
  readonly words: readonly (readonly [word: string, about: string])[];
}

/** @returns a script for the shell; without a match the shell completes file names */
export function completions(program: CommandTable, shell: Shell): string {
  return scripts[shell](program.name, choicesOf(program));
}

/** The first match wins. */
function choicesOf(program: CommandTable): readonly Choice[] {
  const { rows, groups } = program;
  return [
    ...rows.flatMap((row) => valuesOf(program, row)),
    ...rows.map((row) => ({ at: `*|${row.name} *`, words: wordsOf(program, row) })),
    ...Object.keys(groups).map((group) => ({
      at: `*|${group} `,
      words: rows
        .filter(({ name }) => name.startsWith(`${group} `))
        .map(({ name, summary }) => [name.slice(group.length + 1), summary] as const),
    })),
    { at: "*|", words: namesOf(program) },
  ];
}

/** Values of options. */
function valuesOf(program: CommandTable, row: CommandRow): readonly Choice[] {
  return optionsOf(program, row)
    .filter(({ takes }) => takes.type !== "flag")
    .map((input) => ({ at: `--${input.name}|${row.name} *`, words: allowedValues(input) }));
}

/** Arguments and options of a command. */
function wordsOf(program: CommandTable, row: CommandRow): Choice["words"] {
  const places = row.inputs.filter(({ place }) => place === "argument");
  const options = optionsOf(program, row).filter(isShown);
  return [
    ...places.flatMap(allowedValues),
    ...options.map(({ name, about }) => [`--${name}`, about] as const),
  ];
}

function allowedValues({ oneOf = [], about }: Input): Choice["words"] {
  return oneOf.map((value) => [value, about]);
}

const scripts: Readonly<Record<Shell, (name: string, choices: readonly Choice[]) => string>> = {
  bash: (name, choices) => `# completions of ${name} for bash
_${name}() {
  local before="\${COMP_WORDS[COMP_CWORD - 1]}" typed="" words="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do [[ $word == -* ]] || typed+="$word "; done
  [[ $before == -* ]] || before=""
  case "$before|$typed" in
${choices.map(({ at, words }) => `    ${pattern(at)}) words=${shellQuote(words.map(([word]) => word).join(" "))} ;;`).join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _${name} ${name}
`,
  zsh: (name, choices) => `#compdef ${name}
# completions of ${name} for zsh
_${name}() {
  local before="\${words[CURRENT-1]}" typed="" word
  local -a choices
  for word in "\${(@)words[2,CURRENT-1]}"; do [[ $word == -* ]] || typed+="$word "; done
  [[ $before == -* ]] || before=""
  case "$before|$typed" in
${choices.map(({ at, words }) => `    ${pattern(at)}) choices=(${words.map((pair) => shellQuote(pair.join(":"))).join(" ")}) ;;`).join("\n")}
  esac
  if (( $#choices )); then _describe ${name} choices; else _files; fi
}
compdef _${name} ${name}
`,
  // The final `-` is filtered out; without a word `string` would read stdin.
  fish: (name, choices) => `# completions of ${name} for fish
function __${name}_words
  set -l line (commandline -opc)
  set -l before (string match -- '-*' $line[-1])
  set -e line[1]
  set -l typed (string join '' (string match -v -- '-*' $line -)' ')
  switch "$before|$typed"
${choices.map(({ at, words }) => `    case ${shellQuote(at)}\n${words.map((pair) => `      printf '%s\\t%s\\n' ${pair.map(shellQuote).join(" ")}`).join("\n")}`).join("\n")}
  end
end
complete -c ${name} -f -k -a '(__${name}_words)'
complete -c ${name} -n 'not __${name}_words | string length -q' -F
`,
};

/** A `case` pattern of bash and zsh. */
function pattern(at: string): string {
  return at
    .split("*")
    .map((part) => (part === "" ? "" : shellQuote(part)))
    .join("*");
}

function shellQuote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
