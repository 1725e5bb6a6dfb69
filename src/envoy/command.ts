/** A command of Envoy: an entry in the table of its group (`commands/<group>/table.ts`) and a file beside it that exports `run`. */
import type { Given } from "../lib/command-line/given.ts";
import { argument, optional, type Input, type Row } from "../lib/command-line/row.ts";

/** What a command answers: the `data` of the one object that is printed. A negative answer is data too. */
export type Data = Readonly<Record<string, unknown>>;

export interface EnvoyCommand extends Row {
  /** It changes nothing, so that an agent of any run may call it. */
  readonly reads?: true;
  /** Loaded only when it is called. */
  readonly load: () => Promise<{ readonly run: (call: Call) => Promise<Data> }>;
}

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

export const promptNumber = argument("prompt_num", "number of the prompt");
export const variant = optional(argument("variant", "its letter, where the number has variants"));

/** Of commands that act in a checkout: an agent that calls tools stands in none. */
export const ownCheckout: readonly Input[] = [
  optional(argument("prompt_num", "the prompt whose worktree is meant; this checkout where it is not given")),
  variant,
];
