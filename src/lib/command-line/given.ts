import type { Line } from "./line.ts";

export type Value = string | true | readonly string[];

/** The values of the inputs by name. */
export interface Given {
  /** Of an input that is required. */
  need(name: string): string;
  text(name: string): string | null;
  list(name: string): readonly string[] | null;
  flag(name: string): boolean;
}

export function givenOf(values: Readonly<Record<string, Value>>): Given {
  const text = (name: string): string | null => {
    const value = values[name];
    return typeof value === "string" ? value : null;
  };
  return {
    text,
    need(name) {
      const value = text(name);
      if (value === null) throw new TypeError(`${name} is not declared as required`);
      return value;
    },
    list(name) {
      const value = values[name];
      return typeof value === "object" ? value : null;
    },
    flag: (name) => values[name] === true,
  };
}

/** The values as they are typed; of a word that is given twice the last. */
export function givenIn({ row, words, flags }: Line): Given {
  const values: Record<string, Value> = {};
  for (const flag of flags) values[flag] = true;
  for (const { name, takes, default: usual } of row.inputs) {
    const value = takes.type === "words" ? words[name] : (words[name]?.at(-1) ?? usual);
    if (value !== undefined) values[name] = value;
  }
  return givenOf(values);
}
