/**
 * One word that a person types at a terminal to decide something. What was typed before they were asked, what is pasted and
 * what goes on after the line decides nothing (SEE-03).
 */
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { printableText } from "../lib/printable.ts";

export type Typed =
  | { readonly type: "word"; readonly word: string }
  /** Nothing, or nothing that one of the words is. */
  | { readonly type: "unclear"; readonly text: string }
  | { readonly type: "cancelled" };

/** @param words in lower case; every other text decides nothing */
export async function typedWord(message: string, words: readonly string[]): Promise<Typed> {
  const heard: Buffer[] = [];
  const hear = (chunk: Buffer | string) => void heard.push(Buffer.from(chunk));
  const text = await typedLine(message, {
    begins: () => process.stdin.on("data", hear),
    // What is pasted comes at once, or as fast as the terminal can hand it on.
    ends: async () => void process.stdin.off("data", await setTimeout(pasteMs, hear)),
  });
  return text === null
    ? { type: "cancelled" }
    : readTyped(text, Buffer.concat(heard).toString("latin1"), words);
}

interface Around {
  readonly begins: () => unknown;
  /** While the terminal is still read. */
  readonly ends: () => Promise<void>;
}

/** One line that is typed from now on; null where the person would rather stop. */
export async function typedLine(message: string, around?: Around): Promise<string | null> {
  if ((await dropTypedAhead()) === "cancelled") return null;
  const { stdin: input, stdout: output } = process;
  const reader = createInterface({ input, output, terminal: true, historySize: 0 });
  around?.begins();
  try {
    return await new Promise<string | null>((resolve) => {
      reader.once("SIGINT", () => resolve(null)).once("close", () => resolve(""));
      reader.question(`${printableText(message)}\n> `, (line) => {
        const read = around?.ends() ?? Promise.resolve();
        void read.then(() => resolve(line));
      });
    });
  } finally {
    reader.close();
    output.write(printableText("\n"));
  }
}

/**
 * @param text the line
 * @param heard every byte that came while it was asked for
 */
export function readTyped(text: string, heard: string, words: readonly string[]): Typed {
  const word = text.trim().toLowerCase();
  const isPasted = heard.includes(pasteBegins) || /[\r\n][^]/u.test(heard.replace(/\r\n/gu, "\n"));
  return words.includes(word) && !isPasted ? { type: "word", word } : { type: "unclear", text: text.trim() };
}

/** How a terminal marks what is pasted, where a program before us asked it to. */
const pasteBegins = "\u001b[200~";
const pasteMs = 150;

const quietMs = 100;
const longestMs = 1_000;

/** Throws away what lies in the terminal, until nothing more comes: it was typed before anything was asked. */
export async function dropTypedAhead(): Promise<"asked" | "cancelled"> {
  const { stdin } = process;
  if (!stdin.isTTY) return "asked";
  let last = performance.now();
  let isCancelled = false;
  const drop = (chunk: Buffer | string) => {
    last = performance.now();
    // Ctrl-C is a byte like others here.
    isCancelled ||= Buffer.from(chunk).includes(3);
  };
  const began = last;
  stdin.setRawMode(true).on("data", drop).resume();
  while (performance.now() - last < quietMs && performance.now() - began < longestMs) await setTimeout(20);
  stdin.off("data", drop).pause().setRawMode(false);
  return isCancelled ? "cancelled" : "asked";
}
