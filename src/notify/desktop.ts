/** A notification of this machine's desktop, by notify-send or osascript, if one is installed. */
import { pickVariables, type Env } from "../config/env.ts";
import { findProgram } from "../process/find-program.ts";
import { run } from "../process/run.ts";
import { failureOf } from "./failure-of.ts";

export interface DesktopNotice {
  readonly title: string;
  readonly text: string;
  readonly cwd: string;
  readonly path: string;
  readonly env: Env;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** What the programs need to find the session of the desktop. */
const sessionVariables = [
  "HOME",
  "DISPLAY",
  "WAYLAND_DISPLAY",
  "XDG_RUNTIME_DIR",
  "DBUS_SESSION_BUS_ADDRESS",
  "XAUTHORITY",
];

/** @returns why it failed; null: it is shown */
export async function notifyDesktop(notice: DesktopNotice): Promise<string | null> {
  const { title, text, cwd, path, env, timeoutMs, signal } = notice;
  const argv = await argvFor(path, title, text);
  if (argv === null) return "neither notify-send nor osascript is installed";
  const [file = "", ...rest] = argv;
  const ran = await run(file, rest, {
    cwd,
    env: { PATH: path, ...pickVariables(env, sessionVariables) },
    timeoutMs,
    signal,
  });
  return failureOf(ran);
}

async function argvFor(path: string, title: string, text: string): Promise<readonly string[] | null> {
  const notifySend = await findProgram("notify-send", path);
  // Its text is markup.
  if (notifySend !== null) return [notifySend, "--app-name=Mettle", "--", title, escaped(text)];
  const osascript = await findProgram("osascript", path);
  if (osascript === null) return null;
  const script = [
    "on run argv",
    "display notification (item 2 of argv) with title (item 1 of argv)",
    "end run",
  ];
  return [osascript, ...script.flatMap((line) => ["-e", line]), title, text];
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
