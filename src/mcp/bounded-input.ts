/** Standard input with a bound on each message: a longer one is refused aloud and not kept, and the next is heard again. */
import { Transform, type Readable, type Writable } from "node:stream";
import { splitLines, type LineResult } from "../channel/split-lines.ts";

/** As long as server-memory takes them, which ends without a word at a longer one. */
export const maxMessageBytes = 10 * 1024 * 1024;

export function boundedInput(input: Readable, output: Writable): Transform {
  const lines = splitLines(maxMessageBytes);
  const forward = (heard: readonly LineResult[], bounded: Transform) => {
    for (const one of heard) {
      if (one.type === "line") bounded.push(`${one.text}\n`);
      else output.write(`${JSON.stringify(tooLong)}\n`);
    }
  };
  const bounded: Transform = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      forward(lines.push(chunk), bounded);
      done();
    },
    flush(done) {
      forward(lines.end(), bounded);
      done();
    },
  });
  return input.pipe(bounded);
}

/** Whose request it was stands in what was not read, so it is told to nobody by number. */
export const tooLong = {
  jsonrpc: "2.0",
  id: null,
  error: {
    code: -32600,
    message: `the message has more than ${maxMessageBytes} bytes and was not read; send it in smaller parts`,
  },
} as const;
