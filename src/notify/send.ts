/** Tells people in every way that they set, and in no other (SEE-09). A way that fails or is slow is reported, never thrown. */
import type { Env } from "../config/env.ts";
import type { Notify } from "../config/notify-schema.ts";
import { mask } from "../lib/mask.ts";
import { run } from "../process/run.ts";
import { failureOf } from "./failure-of.ts";
import { notifyDesktop } from "./desktop.ts";
import { withoutSecrets, type Notice } from "./notice.ts";
import { post } from "./post.ts";

export interface NoticePlace {
  readonly cwd: string;
  readonly path: string;
  /** The user's environment, for `$NAME` and the desktop's session. */
  readonly env: Env;
  readonly secrets: readonly string[];
  /** Ends all ways at once. */
  readonly signal?: AbortSignal;
  /** Of each way; default: 10 s. */
  readonly timeoutMs?: number;
}

export interface FailedWay {
  readonly way: string;
  readonly why: string;
}

export async function sendNotice(
  set: Notify,
  notice: Notice,
  { secrets, signal, timeoutMs = 10_000, ...place }: NoticePlace,
): Promise<readonly FailedWay[]> {
  const shown = withoutSecrets(notice, secrets);
  const stop = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal === undefined ? [] : [signal])]);
  const bounded = { ...place, timeoutMs, signal: stop };
  const ways: readonly (readonly [string, Promise<string | null>])[] = [
    ...(set.command === undefined ? [] : [["command", byCommand(set.command, shown, bounded)] as const]),
    ...(set.desktop === true ? [["desktop", notifyDesktop({ ...shown, ...bounded })] as const] : []),
    ...(set.webhook === undefined ? [] : [["webhook", byWebhook(set.webhook, shown, bounded)] as const]),
    ...(set.push === undefined ? [] : [["push", byPush(set.push, shown, bounded)] as const]),
  ];
  const ended = await Promise.all(ways.map(async ([way, sent]) => ({ way, why: await sent.catch(String) })));
  return ended.flatMap(({ way, why }) => (why === null ? [] : [{ way, why: mask(why, secrets) }]));
}

interface Bounded extends Pick<NoticePlace, "cwd" | "path" | "env"> {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

async function byCommand(command: string, { facts }: Notice, place: Bounded): Promise<string | null> {
  const { cwd, path, timeoutMs, signal } = place;
  const input = `${JSON.stringify(facts)}\n`;
  const ran = await run("/bin/sh", ["-c", command], { cwd, env: { PATH: path }, input, timeoutMs, signal });
  return failureOf(ran);
}

function byWebhook(address: string, { facts }: Notice, { env, signal }: Bounded): Promise<string | null> {
  const headers = { "content-type": "application/json" };
  return post(address, env, { body: JSON.stringify(facts), headers, signal });
}

/** The form of ntfy: the text is the body, title and link are headers. */
function byPush(
  address: string,
  { title, text, link }: Notice,
  { env, signal }: Bounded,
): Promise<string | null> {
  const headers = {
    "content-type": "text/plain; charset=utf-8",
    title: inHeader(title),
    ...(link === null ? {} : { click: new URL(link).href }),
  };
  return post(address, env, { body: text, headers, signal });
}

/** Other than ASCII as in RFC 2047. */
function inHeader(text: string): string {
  if (/^[\x20-\x7e]*$/u.test(text)) return text;
  return `=?UTF-8?B?${Buffer.from(text).toString("base64")}?=`;
}
