/** Parses TypeScript errors from tools that check a file's types before they run it, such as ts-jest and ts-node. Pure. */

export interface TypeError {
  /** The path as the tool prints it. */
  readonly file: string;
  readonly code: number;
  readonly message: string;
}

// eslint-disable-next-line no-control-regex
const colours = /\u001b\[[0-9;]*m/g;
/** `a.ts:3:5 - error TS2339: …` and `a.ts(3,5): error TS2339: …`. */
const errorLine = /^\s*(\S.*?)(?::\d+:\d+ - |\(\d+,\d+\): )error TS(\d+): (.*)$/gm;

/** The type errors in an error message, in its order. */
export function typeErrorsIn(message: string): readonly TypeError[] {
  return [...message.replace(colours, "").matchAll(errorLine)].map(([, file = "", code, words = ""]) => ({
    file,
    code: Number(code),
    message: words,
  }));
}
