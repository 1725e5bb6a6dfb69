/** Removes some options and their values from the words of a command line. */
export function withoutOptions(words: readonly string[], names: readonly string[]): readonly string[] {
  const isNamed = (word: string) =>
    names.some((name) => word === name || word.startsWith(`${name}=`) || word.startsWith(`${name}.`));
  return words.filter((word, at) => {
    const before = words[at - 1] ?? "";
    // The value is the next word unless it is joined to the option.
    const isValue = names.includes(before) && !word.startsWith("-");
    return !isNamed(word) && !isValue;
  });
}

/** Option -> whether its value may be the next word. */
export type OptionTable = Readonly<Record<string, boolean>>;

export interface SplitOptions {
  /** The options of the table, with their values. */
  readonly options: readonly string[];
  /** Words that are not options; values of options outside the table may be among them. */
  readonly rest: readonly string[];
}

export function splitOptions(words: readonly string[], table: OptionTable): SplitOptions {
  const options: string[] = [];
  const rest: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    const name = word.split("=")[0] ?? word;
    const takesValue = table[name];
    if (takesValue !== undefined) {
      options.push(word);
      if (takesValue && !word.includes("=")) options.push(words[(at += 1)] ?? "");
    } else if (!word.startsWith("-")) rest.push(word);
  }
  return { options, rest };
}
