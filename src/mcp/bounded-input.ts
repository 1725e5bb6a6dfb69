/** Standard input with a limit for each message: a longer one is dropped and answered by an error, the next one is read again. */
import { Transform, type Readable, type Writable } from "node:stream";
import { splitLines, type LineResult } from "../channel/split-lines.ts";

/** The limit of server-memory, which exits silently at a longer message. */
export const maxMessageBytes = 10 * 1024 * 1024;

export function boundedInput(input: Readable, output: Writable): Transform {
  const lines = splitLines(maxMessageBytes);
  const forward = (lineResults: readonly LineResult[], bounded: Transform) => {
    for (const one of lineResults) {
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

/** Without an id: the id is in the message, which was not read. */
export const tooLong = {
  jsonrpc: "2.0",
  id: null,
  error: {
    code: -32600,
    message: `the message has more than ${maxMessageBytes} bytes and was not read; send it in smaller parts`,
  },
} as const;
