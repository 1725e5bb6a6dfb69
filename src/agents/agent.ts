import type { Confinement } from "../process/sandbox/confinement.ts";
import type { Reset } from "./reset-time.ts";

/** The interface of every coding agent (CORE-50). */
export interface Agent {
  readonly name: string;
  /** Who makes the model; two reviewers of one vendor are marked. */
  readonly vendor: string;
  /** Whether a conversation keeps its earlier turns; if not, the prompt repeats them. */
  readonly remembers: boolean;
  /**
   * How the agent forks a conversation that was held in the home `parent.from`: in its own store, or by a copy of the
   * transcript. Null: this conversation cannot be forked; missing: the agent cannot fork.
   */
  readonly forks?: (parent: ParentConversation, home: string) => Promise<"native" | "copied" | null>;
  /** The agent cannot use an MCP server, so it cannot call the runtime. */
  readonly withoutMcp?: true;
  /** `structured`: the agent has no MCP and reports its decision by a JSON Schema. */
  readonly answers?: "structured";
  /** The agent's own sandbox for these tools, which cannot run within another one; null: none. */
  readonly ownSandbox?: (tools: readonly string[]) => string | null;
  probe(): Promise<Probe>;
  /**
   * Starts one turn and resolves when its whole process tree has ended. Never rejects because of the agent.
   * Events stream to `sink`; `signal` aborts.
   */
  start(spec: AgentSpec, sink: (event: AgentEvent) => void, signal: AbortSignal): Promise<AgentOutcome>;
}

export type Probe =
  | { readonly type: "ready"; readonly version: string }
  | {
      readonly type: "missing";
      readonly why: string;
      readonly hint: string;
      /** What an installed program lacks; missing: the program itself. */
      readonly lacks?: "version" | "login";
    };

export interface AgentSpec {
  readonly run: string;
  /** Key of the dispatch command. */
  readonly key: string;
  readonly role: string;
  readonly state: string;
  /** Node of the graph, `shop--cart`; missing: the protocol has no nodes. */
  readonly node?: string;
  /** Number of this dispatch among the role's dispatches in the run or node, from 1; counted from the journal. */
  readonly nth: number;
  /** 0 for the first turn of the dispatch, then the number of reminders sent. */
  readonly nudge: number;
  readonly cwd: string;
  readonly home: string;
  readonly prompt: string;
  /** The whole environment of the process; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly conversation: Conversation;
  /** The only tools the agent may use beside `mcp`, by their names in the protocol: `Read`, `Bash`, …; empty: none. */
  readonly tools: readonly string[];
  /** Run the turn in the agent's plan mode, if it has one (TDP-05). */
  readonly plans?: true;
  /** Name of the model; null: the agent's default. */
  readonly model: string | null;
  /** The runtime's MCP server, by which the agent reports; null: none. */
  readonly mcp: McpServer | null;
  /** JSON Schema of the required answer; null: free text. */
  readonly schema: unknown;
  readonly wallMs: number;
  readonly idleMs: number;
  /** Called by an adapter that can send text into a running turn; `nudge` counts the reminders of the dispatch. */
  readonly onRunning?: (send: (text: string, nudge: number) => void) => void;
  /** What the agent sees of the machine; missing: everything. */
  readonly confinement?: Confinement;
}

/** The ids are UUIDs chosen by the runtime. A fork begins with the content of its parent. */
export type Conversation =
  | { readonly type: "new"; readonly id: string }
  | { readonly type: "resume"; readonly id: string }
  | {
      readonly type: "fork";
      readonly id: string;
      readonly parent: string;
      /** Home of the parent's agent; missing: the home of this agent. */
      readonly from?: string;
    };

export interface ParentConversation {
  readonly id: string;
  readonly from: string;
}

/** A program that serves MCP on its standard input and output. */
export interface McpServer {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export type AgentEvent =
  | { readonly type: "text"; readonly text: string }
  /** Text of a program outside of its events; with its line break, unless it is a piece of a long line. */
  | { readonly type: "printed"; readonly text: string }
  | { readonly type: "tool"; readonly name: string; readonly detail: string }
  /** Number of tool calls that are running. */
  | { readonly type: "running"; readonly tools: number }
  /** Part of a text, of thinking or of a tool call: shows only that the agent is alive. */
  | { readonly type: "alive" }
  /** A tool call that the agent's permission rules denied. */
  | { readonly type: "denied"; readonly name: string; readonly detail: string }
  /** The agent repeats a request to its model; `status` is the HTTP status, if the agent reports it. */
  | { readonly type: "retry"; readonly status: number | null }
  | {
      readonly type: "usage";
      /** Share of the context window in use, 0 to 1, if the agent reports it. */
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
      /** The structured answer, if one was required. */
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
      /** The timeout was the idle deadline; missing: the wall-clock deadline. */
      readonly silent?: true;
      /** For `rate_limited`: when the limit ends, if an event has a field for it; else `why` may tell it. */
      readonly resets?: Reset;
    };
