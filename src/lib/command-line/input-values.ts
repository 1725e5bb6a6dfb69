import type { CommandLine } from "./read-line.ts";

export type InputValue = string | true | readonly string[];

/** Access to the values of the inputs by name. */
export interface InputValues {
  /** The value of a required input. */
  need(name: string): string;
  text(name: string): string | null;
  list(name: string): readonly string[] | null;
  flag(name: string): boolean;
}

export function inputValues(values: Readonly<Record<string, InputValue>>): InputValues {
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

/** The typed values; for a repeated word the last one. */
export function inputValuesOf({ row, words, flags }: CommandLine): InputValues {
  const values: Record<string, InputValue> = {};
  for (const flag of flags) values[flag] = true;
  for (const { name, takes, default: usual } of row.inputs) {
    const value = takes.type === "words" ? words[name] : (words[name]?.at(-1) ?? usual);
    if (value !== undefined) values[name] = value;
  }
  return inputValues(values);
}
