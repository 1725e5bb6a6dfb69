/** Words of a command line without some of its options and the values that stand behind them. */
export function withoutOptions(words: readonly string[], names: readonly string[]): readonly string[] {
  const isNamed = (word: string) =>
    names.some((name) => word === name || word.startsWith(`${name}=`) || word.startsWith(`${name}.`));
  return words.filter((word, at) => {
    const before = words[at - 1] ?? "";
    // A value stands behind its option unless it is joined to it.
    const isValue = names.includes(before) && !word.startsWith("-");
    return !isNamed(word) && !isValue;
  });
}

/** Option -> whether its value may be the next word. */
export type OptionTable = Readonly<Record<string, boolean>>;

export interface SplitOptions {
  /** Those of the table, with their values. */
  readonly options: readonly string[];
  /** Words that are no options; those of options that the table does not have may be among them. */
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
