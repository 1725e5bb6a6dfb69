/** Splits command lines into options and other words, as node and JavaScript runners do. */

export interface Option {
  /** The long form, where there is one. */
  readonly name: string;
  readonly value: string | null;
}

/** Options of node whose value may be the next word. */
const valuedByNode = new Set([
  "--import",
  "--require",
  "--loader",
  "--experimental-loader",
  "--conditions",
  "--env-file",
  "--env-file-if-exists",
  "--test-reporter",
  "--test-reporter-destination",
  "--test-name-pattern",
  "--test-skip-pattern",
  "--test-shard",
  "--test-timeout",
  "--test-concurrency",
  "--run",
  "--input-type",
]);
const shortOfNode: Readonly<Record<string, string>> = {
  "-r": "--require",
  "-C": "--conditions",
};

/** node's options before its program, and the remaining words. With `--test`, options may follow files. */
export function nodeArguments(words: readonly string[]): {
  readonly options: readonly Option[];
  readonly rest: readonly string[];
} {
  const options: Option[] = [];
  const rest: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (!word.startsWith("-")) {
      if (!options.some(({ name }) => name === "--test")) return { options, rest: words.slice(at) };
      rest.push(word);
      continue;
    }
    const option = optionAt(words, at, { valued: valuedByNode, short: shortOfNode });
    options.push(option);
    if (option.value !== null && !word.includes("=")) at += 1;
  }
  return { options, rest };
}

interface Syntax {
  readonly valued: ReadonlySet<string>;
  readonly short: Readonly<Record<string, string>>;
}

function optionAt(words: readonly string[], at: number, { valued, short }: Syntax): Option {
  const [flag = "", given] = (words[at] ?? "").split(/=(.*)/s);
  const name = short[flag] ?? flag;
  return { name, value: given ?? (valued.has(name) ? (words[at + 1] ?? null) : null) };
}

/** Options that JavaScript runners pass to node. */
const ofNode =
  /^--(import|loader|experimental-(?!test)\S+|conditions|no-warnings|enable-source-maps|preserve-symlinks\S*|expose-gc|max-old-space-size|stack-trace-limit|no-experimental-\S+)$/;
const configs: Readonly<Record<string, Syntax>> = {
  pytest: { valued: new Set(["--config"]), short: { "-c": "--config", "--config-file": "--config" } },
  vitest: { valued: new Set(["--config"]), short: { "-c": "--config" } },
  jest: { valued: new Set(["--config"]), short: { "-c": "--config" } },
  mocha: {
    valued: new Set(["--config", "--import", "--loader", "--experimental-loader", "--conditions"]),
    short: {},
  },
};

/** Splits a runner's arguments into its configuration, options for node, and the rest unchanged. */
export function optionsIn(
  runner: string,
  words: readonly string[],
): {
  readonly config: string | null;
  readonly nodeOptions: readonly string[];
  readonly args: readonly string[];
} {
  const syntax = configs[runner];
  if (syntax === undefined) return { config: null, nodeOptions: [], args: words };
  let config: string | null = null;
  const nodeOptions: string[] = [];
  const args: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    const { name, value } = optionAt(words, at, syntax);
    const isConfig = name === "--config" && value !== null && !value.startsWith("{");
    const isNodes = runner === "mocha" && ofNode.test(name);
    if (isConfig) config = value;
    else if (isNodes) nodeOptions.push(value === null ? name : `${name}=${value}`);
    else args.push(word);
    if ((isConfig || isNodes) && value !== null && !word.includes("=")) at += 1;
  }
  return { config, nodeOptions, args };
}
