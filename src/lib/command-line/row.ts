/**
 * One table of commands for each program. How a line is read, its help, its completions, the page of reference and, for
 * `envoy`, the tool of the same name are made of it.
 */

export interface Row {
  /** As it is typed: `status`, `plan read-prompt`. */
  readonly name: string;
  readonly summary: string;
  readonly inputs: readonly Input[];
}

export interface Program<R extends Row = Row> {
  readonly name: string;
  /** People get short usage lines; agents get whole ones, and an option that is given twice is refused. */
  readonly readers: "people" | "agents";
  readonly rows: readonly R[];
  /** Options of every command; they may be before its name too. */
  readonly everywhere: readonly Input[];
  /** The summary of each first word that several commands have in common. */
  readonly groups: Readonly<Record<string, string>>;
}

export interface Input {
  /** `prompt_num` of an argument, `refinement-reason` of an option. */
  readonly name: string;
  readonly place: "argument" | "option";
  readonly required: boolean;
  readonly about: string;
  readonly takes: Takes;
  /** One letter: `-n`. */
  readonly short?: string;
  /** What help writes for the value of an option, where its name does not do: FILE. */
  readonly value?: string;
  /** Taken where nothing is given. */
  readonly default?: string;
  /** Every other value is refused. */
  readonly oneOf?: readonly string[];
  /** Accepted, and named nowhere: it changes nothing. */
  readonly hidden?: true;
}

export type Takes =
  | { readonly type: "word" }
  /** Free text: also `@FILE`, `-` for stdin, `@@` for a literal `@`. */
  | { readonly type: "text" }
  | { readonly type: "flag" }
  /** All words up to the next option; repeated, all of them. */
  | { readonly type: "words" }
  /** Given once it is split at the separator; repeated, each is one item. */
  | { readonly type: "list"; readonly separator: string; readonly of: "word" | "text" };

type More = Pick<Input, "short" | "value" | "default" | "oneOf" | "hidden">;

export const argument = (name: string, about: string, more: More = {}): Input => ({
  name,
  about,
  place: "argument",
  required: true,
  takes: { type: "word" },
  ...more,
});

export const optional = (input: Input): Input => ({ ...input, required: false });

/** All words that are left. */
export const rest = (name: string, about: string): Input =>
  optional({ ...argument(name, about), takes: { type: "words" } });

/** @param said its name and what help writes for its value: `base REV` */
export const word = (said: string, about: string, more: More = {}): Input => {
  const [name = "", value] = said.split(" ");
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

/** Split at commas, unless it is repeated. */
export const list = (...input: Parameters<typeof word>): Input => ({
  ...word(...input),
  takes: { type: "list", separator: ",", of: "word" },
});

/** Which is at hand for every command. */
export const help = flag("help", "this text", { short: "h" });

/** All options that a command takes. */
export function optionsOf({ everywhere }: Program, row?: Row): readonly Input[] {
  return [...(row?.inputs ?? []), ...everywhere, help].filter(({ place }) => place === "option");
}

export const isShown = ({ hidden }: Input): boolean => hidden !== true;
