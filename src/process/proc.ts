import { closeSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";

/** Reads /proc. Without /proc every function returns an empty result. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Clock ticks since boot. */
  readonly started: number;
}

/** All running processes, without zombies. */
export function livingProcesses(): ProcessEntry[] {
  const entries: ProcessEntry[] = [];
  for (const name of folder()) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    const entry = processEntry(pid);
    if (entry !== null) entries.push(entry);
  }
  return entries;
}

/** Null: ended, or a zombie. */
export function processEntry(pid: number): ProcessEntry | null {
  const stat = readShort(`/proc/${pid}/stat`);
  // The name in parentheses may contain spaces and parentheses; the fields follow the last one.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state, parent, group, session] = fields;
  if (state === undefined || session === undefined) return null;
  // A process with a zombie main thread and other threads is alive.
  const threads = Number(fields[17]);
  if ((state === "Z" || state === "X") && !(threads > 1)) return null;
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    started: Number(fields[19]),
  };
}

/** The initial value of a variable of a process; null: unset, unreadable or ended. */
export function variableOf(pid: number | "self", variable: string): string | null {
  const environment = readWhole(`/proc/${pid}/environ`);
  const prefix = `${variable}=`;
  const start = environment.startsWith(prefix) ? 0 : environment.indexOf(`\0${prefix}`) + 1;
  if (start === 0 && !environment.startsWith(prefix)) return null;
  const end = environment.indexOf("\0", start);
  return environment.slice(start + prefix.length, end === -1 ? undefined : end);
}

export const hasProc = process.platform === "linux";

function folder(): string[] {
  if (!hasProc) return [];
  try {
    return readdirSync("/proc");
  } catch {
    return []; // no /proc: only the process group is known
  }
}

const short = Buffer.allocUnsafe(2048);

function readShort(path: string): string {
  try {
    const file = openSync(path, "r");
    try {
      return short.toString("latin1", 0, readSync(file, short, 0, short.length, 0));
    } finally {
      closeSync(file);
    }
  } catch {
    return ""; // ended
  }
}

function readWhole(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return ""; // ended, or of another user
  }
}
