import type { Confinement } from "../process/sandbox/confinement.ts";

/** The one interface behind which every coding agent stands (design 5, CORE-50). */
export interface Agent {
  readonly name: string;
  /** Who makes the model; two reviewers of one vendor are marked. */
  readonly vendor: string;
  /** Whether a later turn of the same conversation still knows the earlier ones; where not, they are told again. */
  readonly remembers: boolean;
  /**
   * How it begins with what another conversation holds that was spoken from the home `from`: in its own store, or on a copy
   * of the transcript. Null: it cannot this time; missing: it never can.
   */
  readonly forks?: (parent: Parent, home: string) => Promise<"native" | "copied" | null>;
  /** It takes no MCP server, so it cannot ask the runtime anything; missing: it does. */
  readonly withoutMcp?: true;
  /** `structured`: it has no MCP and is given a JSON Schema for its decision; missing: it is not. */
  readonly answers?: "structured";
  /** The sandbox of its own under which it confines itself with these tools, and which stands in no other; null: it has none. */
  readonly ownSandbox?: (tools: readonly string[]) => string | null;
  probe(): Promise<Probe>;
  /**
   * Starts one turn and resolves when its whole process tree is gone. Never rejects for what the agent did.
   * Text and facts stream to `sink`; `signal` aborts.
   */
  start(spec: AgentSpec, sink: (event: AgentEvent) => void, signal: AbortSignal): Promise<AgentOutcome>;
}

export type Probe =
  | { readonly type: "ready"; readonly version: string }
  | {
      readonly type: "missing";
      readonly why: string;
      readonly hint: string;
      /** What the program that is there lacks; the program itself where nothing is said. */
      readonly lacks?: "version" | "login";
    };

export interface AgentSpec {
  readonly run: string;
  /** Key of the dispatch command. */
  readonly key: string;
  readonly role: string;
  readonly state: string;
  /** Which node of a graph it works for, `shop--cart`; missing: the protocol has none. */
  readonly node?: string;
  /** Ordinal of this dispatch among the run's, or the node's, dispatches of the role, from 1: counted from the journal, stable under resume. */
  readonly nth: number;
  /** 0 for the first turn of the dispatch, then the number of reminders sent. */
  readonly nudge: number;
  readonly cwd: string;
  readonly home: string;
  readonly prompt: string;
  /** The whole environment of the process; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly conversation: Conversation;
  /** The only tools the agent may use beside `mcp`, in the seeds' names: `Read`, `Bash`, …; empty: none. */
  readonly tools: readonly string[];
  /** It designs and changes nothing: played in the agent's own plan mode where it has one (TDP-05). */
  readonly plans?: true;
  /** The model asked for, in the agent's own words; null: the agent's own choice. */
  readonly model: string | null;
  /** The runtime's MCP server for this dispatch, by which the agent reports; null: there is none. */
  readonly mcp: McpServer | null;
  /** JSON Schema of a structured answer that is demanded; null: free text. */
  readonly schema: unknown;
  readonly wallMs: number;
  readonly idleMs: number;
  /** Called by an adapter that can speak into its running turn, with how; `nudge` counts the reminders of the dispatch. */
  readonly onRunning?: (tell: (text: string, nudge: number) => void) => void;
  /** What it sees of the machine; missing: all of it. */
  readonly confinement?: Confinement;
}

/** A conversation's ids are UUIDs given by the runtime; a fork knows what its parent knew when it was made. */
export type Conversation =
  | { readonly type: "new"; readonly id: string }
  | { readonly type: "resume"; readonly id: string }
  | {
      readonly type: "fork";
      readonly id: string;
      readonly parent: string;
      /** Home of the parent's agent; missing: this one's. */
      readonly from?: string;
    };

export interface Parent {
  readonly id: string;
  readonly from: string;
}

/** A program that speaks MCP over its standard input and output. */
export interface McpServer {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export type AgentEvent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "tool"; readonly name: string; readonly detail: string }
  /** So many of its tool calls run now. */
  | { readonly type: "running"; readonly tools: number }
  /** Something came that says nothing by itself: a piece of a text, of thinking, of a tool call. */
  | { readonly type: "alive" }
  /** A tool call that the agent's own rules refused. */
  | { readonly type: "denied"; readonly name: string; readonly detail: string }
  /** The agent tries its model again; `status` is HTTP's where it tells it. */
  | { readonly type: "retry"; readonly status: number | null }
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
  | {
      readonly type: "ok";
      readonly text: string;
      /** The structured answer, where one was demanded. */
      readonly structured?: unknown;
    }
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
      /** Of a timeout: nothing was heard of it for too long; else it worked for too long. */
      readonly silent?: true;
    };
