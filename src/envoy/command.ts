/**
 * One description of each command of Envoy: its line, its help and the tool of the same name are made of it.
 * A command is an entry in the table of its group (`commands/<group>/table.ts`) and a file beside it that exports `run`.
 */

/** What a command answers: the `data` of the one object that is printed. A negative answer is data too. */
export type Data = Readonly<Record<string, unknown>>;

export interface EnvoyCommand {
  /** As it is typed: `plan read-prompt`. */
  readonly name: string;
  readonly summary: string;
  readonly inputs: readonly Input[];
  /** It changes nothing, so that an agent of any run may call it. */
  readonly reads?: true;
  /** Loaded only when it is called. */
  readonly load: () => Promise<{ readonly run: (call: Call) => Promise<Data> }>;
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
}

export type Takes =
  | { readonly type: "word" }
  /** Free text: also `@FILE`, `-` for stdin, `@@` for a literal `@`. */
  | { readonly type: "text" }
  | { readonly type: "flag" }
  /** Given once it is split at the separator; repeated, each is one item. */
  | { readonly type: "list"; readonly separator: string; readonly of: "word" | "text" };

export interface Call {
  readonly given: Given;
  readonly cwd: string;
  /** The PATH on which git is found. */
  readonly path: string;
  /** `--agent`: who calls, for the record only. */
  readonly agent: string | null;
  /** `--feature-branch`: whose plan is meant, instead of the current branch's. */
  readonly featureBranch: string | null;
  /** `--wait`: how long a person is waited for; null for the usual time. */
  readonly waitMs: number | null;
}

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

type Named = readonly [name: string, about: string];

export const argument = (...[name, about]: Named): Input => ({
  name,
  about,
  place: "argument",
  required: true,
  takes: { type: "word" },
});

export const optional = (input: Input): Input => ({ ...input, required: false });

export const word = (...[name, about]: Named): Input => ({ ...argument(name, about), place: "option" });

export const text = (...[name, about]: Named): Input => ({
  ...argument(name, about),
  place: "option",
  takes: { type: "text" },
});

export const flag = (...[name, about]: Named): Input => ({
  ...argument(name, about),
  place: "option",
  required: false,
  takes: { type: "flag" },
});

/** Split at commas, unless it is repeated. */
export const list = (...[name, about]: Named): Input => ({
  ...argument(name, about),
  place: "option",
  takes: { type: "list", separator: ",", of: "word" },
});

export const promptNumber = argument("prompt_num", "number of the prompt");
export const variant = optional(argument("variant", "its letter, where the number has variants"));

/** Of commands that act in a checkout: an agent that calls tools stands in none. */
export const ownCheckout: readonly Input[] = [
  optional(argument("prompt_num", "the prompt whose worktree is meant; this checkout where it is not given")),
  variant,
];
