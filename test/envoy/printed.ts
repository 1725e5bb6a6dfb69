/** What an agent reads in the text of `envoy protocol`: steps, the commands in them, and the words of a command. */

export function stepsIn(text: string): readonly string[] {
  const below = text.slice(text.indexOf("## Steps"));
  return below
    .split(/^(?=\d+: )/mu)
    .slice(1)
    .map((step) => step.replace(/^\d+: /u, ""));
}

/** Those in backticks. */
export function commandsIn(step: string): readonly string[] {
  return [...step.matchAll(/`(envoy [^`]*)`/gu)].map(([, command = ""]) => command);
}

/**
 * The words after `envoy`, with a value for each `<NAME>`; null leaves it out, and with it the option that it belongs to.
 * A name without a value is an error: the text asks for something that its reader cannot know.
 */
export function fill(command: string, values: Readonly<Record<string, string | null>>): readonly string[] {
  const words: string[] = [];
  for (const [word] of command.matchAll(/"[^"]*"|[^\s[\]]+/gu)) {
    const plain = word.replaceAll('"', "");
    if (!/<.*>/u.test(plain)) {
      if (plain !== "envoy") words.push(plain);
      continue;
    }
    const name = plain.toUpperCase();
    const value = values[name];
    if (value === undefined) throw new Error(`nobody knows ${name}`);
    if (value !== null) words.push(value);
    else if (words.at(-1)?.startsWith("--") === true) words.pop();
  }
  return words;
}
