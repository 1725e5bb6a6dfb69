/** The options of a new run. Each family decides which ones it accepts. */
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
  /** Overrides the setting of the same name. */
  readonly sandbox?: Settings["sandbox"];
  /** `referee`: the user's own session is the Main Thread, so no agent of the settings is needed. */
  readonly front?: "driver" | "referee";
  /** Leaves the run to the workers of the shared store, or to a process of its own where the runs are local. */
  readonly detach?: boolean;
  /** Graph only: the spec of its root. */
  readonly spec?: RootSpec;
  /** Steps only: the hosted protocol and its inputs. */
  readonly steps?: StepsStart;
  /** Graph only: the branch to start from, instead of the one that is checked out. */
  readonly base?: string;
  /** Graph only: open a merge request for each published node. */
  readonly mergeRequests?: boolean;
  /** Overrides the settings of the same names. */
  readonly graph?: Partial<Settings["graph"]>;
  /** Aborts the tests of the base, which run first. */
  readonly signal?: AbortSignal;
  /** Receives progress messages meanwhile. */
  readonly progress?: (what: string) => void;
}

/** The spec of a graph's root. */
export interface RootSpec {
  readonly spec: Spec;
  /** Its file and the hash of its text; null for standard input. */
  readonly file: { readonly path: string; readonly hash: string } | null;
}

/** The hosted protocol of steps, with its inputs. */
export type StepsStart = NonNullable<EventOf<"run.started">["steps"]>;

/** Refuses the options of a graph, for protocols that take only a task. @throws usage */
export function takesTaskAlone({ name }: Protocol, options: StartOptions): void {
  if (options.spec !== undefined)
    throw new AppError("usage", `${name} takes a task in words, not a spec`, {
      hint: `mettle run "what to build" --protocol ${name}`,
    });
  const given = options.base === undefined ? options.mergeRequests === true && "--pr" : "--base";
  if (given !== false)
    throw new AppError("usage", `${name} has no option ${given}: it belongs to a graph`, {
      hint: "mettle run --protocol graph --spec spec.yaml",
    });
}
