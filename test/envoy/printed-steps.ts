/** Parses the output of `envoy protocol`: steps, their commands, and the words of a command. */

export function stepsIn(text: string): readonly string[] {
  const below = text.slice(text.indexOf("## Steps"));
  return below
    .split(/^(?=\d+: )/mu)
    .slice(1)
    .map((step) => step.replace(/^\d+: /u, ""));
}

/** The commands in backticks. */
export function commandsIn(step: string): readonly string[] {
  return [...step.matchAll(/`(envoy [^`]*)`/gu)].map(([, command = ""]) => command);
}

/**
 * The words after `envoy`, with a value for each `<NAME>`; null omits it together with its option. A name without a value is an
 * error, because the reader of the text cannot know it.
 */
export function fillCommand(
  command: string,
  values: Readonly<Record<string, string | null>>,
): readonly string[] {
  const words: string[] = [];
  for (const [word] of command.matchAll(/"[^"]*"|[^\s[\]]+/gu)) {
    const plain = word.replaceAll('"', "");
    if (!/<.*>/u.test(plain)) {
      if (plain !== "envoy") words.push(plain);
      continue;
    }
    const name = plain.toUpperCase();
    const value = values[name];
    if (value === undefined) throw new Error(`the text gives no value for ${name}`);
    if (value !== null) words.push(value);
    else if (words.at(-1)?.startsWith("--") === true) words.pop();
  }
  return words;
}
