/** A command of Envoy: an entry in the table of its group (`commands/<group>/table.ts`), which names its function in a file beside it. */
import type { InputValues } from "../lib/command-line/input-values.ts";
import { argument, optional, type Input, type CommandRow } from "../lib/command-line/row.ts";

/** The answer of a command: `data` of the printed object. A negative answer is data too. */
export type Data = Readonly<Record<string, unknown>>;

export interface EnvoyCommand extends CommandRow {
  /** The command is read-only, so agents of any run may call it. */
  readonly reads?: true;
  /** Loads the implementation on the first call. */
  readonly load: () => Promise<{ readonly run: (call: CommandCall) => Promise<Data> }>;
}

export interface CommandCall {
  readonly given: InputValues;
  readonly cwd: string;
  /** The PATH that finds git. */
  readonly path: string;
  /** `--agent`: the name of the caller, for the record only. */
  readonly agent: string | null;
  /** `--feature-branch`: the branch whose plan is used; null for the current branch. */
  readonly featureBranch: string | null;
  /** `--wait` in milliseconds: the maximum wait for a person; null for the default. */
  readonly waitMs: number | null;
}

export const promptNumber = argument("prompt_num", "number of the prompt");
export const variant = optional(argument("variant", "its letter, if the number has variants"));

/** Inputs of commands that work in a checkout; an agent that calls tools has no current folder and names a prompt. */
export const ownCheckout: readonly Input[] = [
  optional(argument("prompt_num", "the prompt whose worktree to use; the current checkout by default")),
  variant,
];
