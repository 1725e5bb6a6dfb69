/** Turns of scripted agents, named by what they do. */
import type { TurnFile } from "./world.ts";

export interface Act {
  /** Path -> content. */
  readonly write?: Readonly<Record<string, string>>;
  readonly shell?: string;
  readonly say?: string;
  readonly message?: string;
  readonly payload?: unknown;
}

/** Writes, runs, says, and reports a code. */
export function act(status: string, { write = {}, shell, say, message = "", payload }: Act = {}): TurnFile {
  return {
    does: [
      ...Object.entries(write).map(([path, content]) => ({ write: { path, content } })),
      ...(shell === undefined ? [] : [{ shell }]),
      ...(say === undefined ? [] : [{ say }]),
    ],
    report: { status, message, ...(payload === undefined ? {} : { payload }) },
  };
}

/** The first reviewer's answer. */
export function answers(text: string): TurnFile {
  return { does: [{ say: text }] };
}

/** The second reviewer's file and report. */
export function reviews(file: string, status: string, content: string): TurnFile {
  return act(status, { write: { [`.claude/temp/${file}`]: content } });
}

export const slugify = {
  /** The golden coder's files. */
  right: `import { words } from "./words.js";

/** The URL slug of a title; throws a TypeError for anything but a string. */
export function slugify(text) {
  if (typeof text !== "string") throw new TypeError("slugify takes a string");
  return words(text).join("-").toLowerCase();
}
`,
  /** Fails EC2 and ERR1. */
  careless: `export function slugify(text) {
  return text.toString().toLowerCase().replace(/[^a-z0-9]+/g, "-");
}
`,
  /** Fails all five, each time with another message. */
  constant: (word: string) => `export const slugify = () => "${word}";\n`,
};
