/** Reads a hook's input, one JSON object. `process.stdin` would take a third of the time of a hook. */
import { read } from "node:fs";

/** A tool's input may hold a whole file. */
const maxBytes = 64 << 20;

/** Reads to the end of the input or of the object, whichever comes first. */
export function readInput(): Promise<string> {
  const chunk = Buffer.allocUnsafe(1 << 16);
  const parts: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    const more = () =>
      read(0, chunk, 0, chunk.length, null, (error, count) => {
        if (error && "code" in error && error.code === "EAGAIN") return setTimeout(more, 5);
        if (error && !("code" in error && error.code === "EOF")) return reject(error);
        if (count > 0) parts.push(Buffer.from(chunk.subarray(0, count)));
        size += count;
        const text = () => Buffer.concat(parts).toString("utf8");
        if (count === 0 || error) return resolve(text());
        if (size > maxBytes) return reject(new Error("the input is longer than 64 MiB"));
        if (count < chunk.length && isWhole(text())) return resolve(text());
        more();
      });
    more();
  });
}

function isWhole(text: string): boolean {
  if (!/\}\s*$/u.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false; // a part of the object
  }
}
