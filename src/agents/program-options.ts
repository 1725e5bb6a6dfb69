import type { AgentSpec } from "./agent.ts";
import type { Line } from "./stream.ts";

export type ProgramOptions = Pick<AgentSpec, "cwd" | "wallMs" | "idleMs" | "confinement">;

export interface Program {
  /** Absolute path, or a name that is looked up on the PATH of `env`. */
  readonly file: string;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Written to its standard input, which is then closed. */
  readonly input: string;
  readonly onLine: (line: Line) => void;
  /** Given how more is written to its standard input, which then stays open; missing: it is closed. */
  readonly onOpen?: (write: (text: string) => void) => void;
  /** Whether a tool of it runs: then its silence is none. */
  readonly busy?: () => boolean;
  /** The user's own login file, to which its home has a link: shown to it where it is confined. */
  readonly login?: string | null;
  /** What it starts in its turn, a program and its arguments: shown too. */
  readonly starts?: readonly string[];
}
