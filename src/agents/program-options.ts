import type { AgentSpec } from "./agent.ts";
import type { OutputLine } from "./stream.ts";

export type ProgramOptions = Pick<AgentSpec, "cwd" | "wallMs" | "idleMs" | "confinement">;

export interface Program {
  /** Absolute path, or a name on the PATH of `env`. */
  readonly file: string;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Text for standard input. */
  readonly input: string;
  readonly onLine: (line: OutputLine) => void;
  /** Receives a function that writes to standard input, which stays open; missing: it is closed after `input`. */
  readonly onOpen?: (write: (text: string) => void) => void;
  /** Whether a tool call is running: the idle deadline then does not apply. */
  readonly busy?: () => boolean;
  /** The user's login file, which the agent's home links to: visible to a confined program. */
  readonly login?: string | null;
  /** Another program with its arguments that this one starts: visible too. */
  readonly starts?: readonly string[];
}
