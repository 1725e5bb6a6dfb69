/** The one interface behind which every coding agent stands (design 5, CORE-50). */
export interface Agent {
  readonly name: string;
  /** Who makes the model; two reviewers of one vendor are marked. */
  readonly vendor: string;
  probe(): Promise<Probe>;
  /**
   * Starts one turn and resolves when its whole process tree is gone. Never rejects for what the agent did.
   * Text and facts stream to `sink`; `signal` aborts.
   */
  start(spec: AgentSpec, sink: (event: AgentEvent) => void, signal: AbortSignal): Promise<AgentOutcome>;
}

export type Probe =
  | { readonly type: "ready"; readonly version: string }
  | { readonly type: "missing"; readonly why: string; readonly hint: string };

export interface AgentSpec {
  readonly run: string;
  /** Key of the dispatch command. */
  readonly key: string;
  readonly role: string;
  readonly state: string;
  /** Ordinal of this dispatch among the run's dispatches of the role, from 1: counted from the journal, stable under resume. */
  readonly nth: number;
  /** 0 for the first turn of the dispatch, then the number of reminders sent. */
  readonly nudge: number;
  readonly cwd: string;
  readonly home: string;
  readonly prompt: string;
  /** The whole environment of the process; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** Conversation id; the same id continues a conversation. */
  readonly conversation: string;
  readonly resume: boolean;
  readonly tools: readonly string[];
  readonly wallMs: number;
  readonly idleMs: number;
}

export type AgentEvent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "tool"; readonly name: string; readonly detail: string }
  | {
      readonly type: "usage";
      /** Share of the context window in use, 0 to 1, where the agent tells it. */
      readonly context?: number | undefined;
      readonly inputTokens?: number | undefined;
      readonly outputTokens?: number | undefined;
      readonly costUsd?: number | undefined;
    }
  | {
      readonly type: "report";
      readonly status: string;
      readonly message: string;
      readonly payload?: unknown;
    };

export type AgentOutcome =
  | { readonly type: "ok"; readonly text: string }
  | {
      readonly type:
        | "max_turns"
        | "budget"
        | "rate_limited"
        | "auth"
        | "api_error"
        | "schema_failed"
        | "timeout"
        | "aborted"
        | "crashed"
        | "missing"
        | "mismatch";
      /** The last text, possibly empty. */
      readonly text: string;
      readonly why: string;
    };
