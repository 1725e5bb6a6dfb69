/**
 * The table of a program's commands. The parser, help, completions, the reference page and the tools of `envoy` are
 * derived from it.
 */

export interface CommandRow {
  /** `status`, `plan read-prompt`. */
  readonly name: string;
  readonly summary: string;
  readonly inputs: readonly Input[];
}

export interface CommandTable<R extends CommandRow = CommandRow> {
  readonly name: string;
  /** People get short usage lines. Agents get full ones, and repeated options are refused. */
  readonly readers: "people" | "agents";
  readonly rows: readonly R[];
  /** Options of every command, also allowed before its name. */
  readonly everywhere: readonly Input[];
  /** Summaries of first words that several commands share. */
  readonly groups: Readonly<Record<string, string>>;
}

export interface Input {
  /** `prompt_num` for an argument, `refinement-reason` for an option. */
  readonly name: string;
  readonly place: "argument" | "option";
  readonly required: boolean;
  readonly about: string;
  readonly takes: InputType;
  /** One letter: `-n`. */
  readonly short?: string;
  /** Placeholder of an option's value in help, e.g. FILE; default its name. */
  readonly value?: string;
  /** Used if no value is given. */
  readonly default?: string;
  /** The allowed values. */
  readonly oneOf?: readonly string[];
  /** Accepted without effect, and not documented. */
  readonly hidden?: true;
}

export type InputType =
  | { readonly type: "word" }
  /** Free text, or `@FILE`, `-` for stdin, `@@` for a literal `@`. */
  | { readonly type: "text" }
  | { readonly type: "flag" }
  /** All words up to the next option; repetitions add up. */
  | { readonly type: "words" }
  /** A single value is split at the separator; if repeated, each value is one item. */
  | { readonly type: "list"; readonly separator: string; readonly of: "word" | "text" };

type InputOptions = Pick<Input, "short" | "value" | "default" | "oneOf" | "hidden">;

export const argument = (name: string, about: string, more: InputOptions = {}): Input => ({
  name,
  about,
  place: "argument",
  required: true,
  takes: { type: "word" },
  ...more,
});

export const optional = (input: Input): Input => ({ ...input, required: false });

/** All remaining words. */
export const rest = (name: string, about: string): Input =>
  optional({ ...argument(name, about), takes: { type: "words" } });

/** @param nameAndValue name and placeholder: `base REV` */
export const word = (nameAndValue: string, about: string, more: InputOptions = {}): Input => {
  const [name = "", value] = nameAndValue.split(" ");
  return { ...argument(name, about, more), place: "option", ...(value !== undefined && { value }) };
};

export const option = (...input: Parameters<typeof word>): Input => optional(word(...input));

export const options = (...input: Parameters<typeof word>): Input => ({
  ...option(...input),
  takes: { type: "words" },
});

export const text = (...input: Parameters<typeof word>): Input => ({
  ...word(...input),
  takes: { type: "text" },
});

export const flag = (...input: Parameters<typeof word>): Input => ({
  ...option(...input),
  takes: { type: "flag" },
});

/** Split at commas unless repeated. */
export const list = (...input: Parameters<typeof word>): Input => ({
  ...word(...input),
  takes: { type: "list", separator: ",", of: "word" },
});

/** Available for every command. */
export const help = flag("help", "this text", { short: "h" });

/** All options of a command. */
export function optionsOf({ everywhere }: CommandTable, row?: CommandRow): readonly Input[] {
  return [...(row?.inputs ?? []), ...everywhere, help].filter(({ place }) => place === "option");
}

export const isShown = ({ hidden }: Input): boolean => hidden !== true;
