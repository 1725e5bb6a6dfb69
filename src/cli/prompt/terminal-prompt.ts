/**
 * Reads a line, or one word of a list, that a person types at the terminal. Input from before the prompt, pasted input and
 * input that continues after the line decide nothing (SEE-03).
 */
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { printableText } from "../../lib/printable.ts";

export type TypedAnswer =
  | { readonly type: "word"; readonly word: string }
  /** Empty, or none of the words. */
  | { readonly type: "unclear"; readonly text: string };

/** The person pressed Ctrl-C, or the signal ended the prompt. */
export type TypedNothing = { readonly type: "cancelled" } | { readonly type: "ended" };

/** @param words the accepted words, in lower case */
export async function promptForWord(
  message: string,
  words: readonly string[],
  signal: AbortSignal,
): Promise<TypedAnswer | TypedNothing> {
  const received: Buffer[] = [];
  const receive = (chunk: Buffer | string) => void received.push(Buffer.from(chunk));
  const line = await promptForLine(message, signal, {
    onStart: () => process.stdin.on("data", receive),
    // Pasted text arrives at once, or as fast as the terminal passes it on.
    onLine: async () => void process.stdin.off("data", await setTimeout(pasteMs, receive)),
  });
  process.stdin.off("data", receive);
  return line.type === "line"
    ? parseTypedAnswer(line.text, Buffer.concat(received).toString("latin1"), words)
    : line;
}

export type TypedLine = { readonly type: "line"; readonly text: string } | TypedNothing;

interface InputHooks {
  readonly onStart: () => unknown;
  /** Called after the line, while the terminal is still read. */
  readonly onLine: () => Promise<void>;
}

/**
 * One line that is typed after the prompt appears.
 * @param signal ends the prompt; what was typed so far is dropped
 */
export async function promptForLine(
  message: string,
  signal: AbortSignal,
  hooks?: InputHooks,
): Promise<TypedLine> {
  if ((await discardTypeAhead()) === "cancelled") return { type: "cancelled" };
  if (signal.aborted) return { type: "ended" };
  const { stdin: input, stdout: output } = process;
  const reader = createInterface({ input, output, terminal: true, historySize: 0 });
  hooks?.onStart();
  try {
    return await new Promise<TypedLine>((resolve) => {
      signal.addEventListener("abort", () => resolve({ type: "ended" }), { once: true });
      reader
        .once("SIGINT", () => resolve({ type: "cancelled" }))
        .once("close", () => resolve({ type: "line", text: "" }));
      reader.question(`${printableText(message)}\n> `, (text) => {
        const read = hooks?.onLine() ?? Promise.resolve();
        void read.then(() => resolve({ type: "line", text }));
      });
    });
  } finally {
    reader.close();
    output.write(printableText("\n"));
  }
}

/**
 * @param text the line
 * @param received every byte that arrived during the prompt
 */
export function parseTypedAnswer(text: string, received: string, words: readonly string[]): TypedAnswer {
  const word = text.trim().toLowerCase();
  const isPasted = received.includes(pasteBegins) || /[\r\n][^]/u.test(received.replace(/\r\n/gu, "\n"));
  return words.includes(word) && !isPasted ? { type: "word", word } : { type: "unclear", text: text.trim() };
}

/** Marks the begin of pasted text in bracketed-paste mode, which an earlier program may have enabled. */
const pasteBegins = "\u001b[200~";
const pasteMs = 150;

const quietMs = 100;
const longestMs = 1_000;

/** Discards pending input of the terminal until no more arrives: it was typed before the prompt. */
export async function discardTypeAhead(): Promise<"ready" | "cancelled"> {
  const { stdin } = process;
  if (!stdin.isTTY) return "ready";
  let last = performance.now();
  let isCancelled = false;
  const drop = (chunk: Buffer | string) => {
    last = performance.now();
    // In raw mode Ctrl-C is an ordinary byte.
    isCancelled ||= Buffer.from(chunk).includes(3);
  };
  const began = last;
  stdin.setRawMode(true).on("data", drop).resume();
  while (performance.now() - last < quietMs && performance.now() - began < longestMs) await setTimeout(20);
  stdin.off("data", drop).pause().setRawMode(false);
  return isCancelled ? "cancelled" : "ready";
}
