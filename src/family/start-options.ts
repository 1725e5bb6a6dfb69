/** With what a run begins. Each family says which of them it takes. */
import type { Settings } from "../config/settings.ts";
import { AppError } from "../lib/errors.ts";
import type { EventOf } from "../log/run-event.ts";
import type { Spec } from "../protocol/graph-types/shared.ts";
import type { Protocol } from "../protocol/machine.ts";

export interface StartOptions {
  readonly task: string;
  readonly protocol: string;
  /** Role or `default` -> agent. */
  readonly agents: Readonly<Record<string, string>>;
  /** Gates that the person approved beforehand: `plan`, `code`. */
  readonly preapproved: readonly string[];
  readonly demo: boolean;
  readonly limits?: Readonly<Record<string, number>>;
  /** Stands in for the setting of the same name. */
  readonly sandbox?: Settings["sandbox"];
  /** `referee`: the user's own session is the Main Thread, so no agent of the settings is needed. */
  readonly front?: "driver" | "referee";
  /** What a graph is to build; no other protocol takes one. */
  readonly spec?: RootSpec;
  /** Of a machine that hosts printed steps; no other takes it. */
  readonly steps?: StepsStart;
  /** Of a graph: the branch to start from, in the place of the one that is checked out. */
  readonly base?: string;
  /** Of a graph: open a merge request for each node that is published. */
  readonly mergeRequests?: boolean;
  /** Stand in for the settings of the same names. */
  readonly graph?: Partial<Settings["graph"]>;
  /** Ends the tests of the base, with which a run begins. */
  readonly signal?: AbortSignal;
  /** What may be seen while they run. */
  readonly progress?: (what: string) => void;
}

/** The spec of a graph's root. */
export interface RootSpec {
  readonly spec: Spec;
  /** Where it was read from, and the hash of that text; null for standard input. */
  readonly file: { readonly path: string; readonly hash: string } | null;
}

/** Which protocol of steps is hosted, with which inputs. */
export type StepsStart = NonNullable<EventOf<"run.started">["steps"]>;

/** Most protocols work on the branch that is checked out, from a task in words. @throws usage for options of a graph */
export function takesTaskAlone({ name }: Protocol, options: StartOptions): void {
  if (options.spec !== undefined)
    throw new AppError("usage", `${name} takes a task in words and no spec`, {
      hint: `mettle run "what to build" --protocol ${name}`,
    });
  const given = options.base === undefined ? options.mergeRequests === true && "--pr" : "--base";
  if (given !== false)
    throw new AppError("usage", `${name} knows no ${given}: it belongs to a graph`, {
      hint: "mettle run --protocol graph --spec spec.yaml",
    });
}
