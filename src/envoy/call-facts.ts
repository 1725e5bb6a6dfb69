/** Logs every call with its result. */
import { systemClock } from "../lib/clock.ts";
import { appendCall } from "../plans/call-log.ts";

export interface CallFacts {
  readonly command: string;
  readonly words: readonly string[];
  readonly agent?: string | null;
  readonly branch?: string | null;
  /** The note of its answer. */
  readonly note?: string;
}

/** The `note` in the data of an answer, such as that a merge is UNVERIFIED. */
export function noteOf(data: unknown): Pick<CallFacts, "note"> {
  const note: unknown = typeof data === "object" && data !== null ? Reflect.get(data, "note") : null;
  return typeof note === "string" ? { note } : {};
}

/** @param factsOf gives the facts of the finished call */
export async function withCallLog<T>(
  cwd: () => string,
  work: () => Promise<T>,
  factsOf: (result: T) => CallFacts & { readonly code: number },
): Promise<T> {
  const began = systemClock.now();
  const result = await work();
  logCall(cwd, factsOf(result), began);
  return result;
}

export function logCall(cwd: () => string, call: CallFacts & { readonly code: number }, began: number): void {
  const { command, words, agent = null, branch = null, code, note } = call;
  appendCall(cwd, {
    at: new Date(began).toISOString(),
    command,
    arguments: words,
    agent,
    branch,
    code,
    duration_ms: Math.round(systemClock.now() - began),
    ...(note !== undefined && { note }),
  });
}

/** Reads the facts of a line, which may be invalid. */
export function readCallFacts(argv: readonly string[], command: string): CallFacts {
  const words = [...argv];
  for (const word of command.split(" ")) if (words.includes(word)) words.splice(words.indexOf(word), 1);
  const valueOf = (option: string): string | null => {
    const at = argv.findIndex((word) => word === option || word.startsWith(`${option}=`));
    if (at === -1) return null;
    return argv[at] === option ? (argv[at + 1] ?? null) : (argv[at]?.slice(option.length + 1) ?? null);
  };
  return { command, words, agent: valueOf("--agent"), branch: valueOf("--feature-branch") };
}
