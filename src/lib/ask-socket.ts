import { createConnection } from "node:net";

export interface SocketQuestion {
  /** Path of a socket of this machine. */
  readonly path: string;
  /** Without a line break. */
  readonly line: string;
  /** For all of it. */
  readonly timeoutMs: number;
}

export type SocketAnswer =
  | { readonly type: "answered"; readonly line: string }
  /** Nobody listens there, or it may not be entered: the code of the system. */
  | { readonly type: "unreachable"; readonly code: string }
  /** It ended the conversation, or said too much, without an answer. */
  | { readonly type: "silent" }
  | { readonly type: "late" };

/** No answer is longer. */
const maxBytes = 4 << 20;

/** Says one line at a socket and gives the line that it is answered with. Never rejects. */
export function askSocket({ path, line, timeoutMs }: SocketQuestion): Promise<SocketAnswer> {
  return new Promise((resolve) => {
    const socket = createConnection({ path });
    const parts: Buffer[] = [];
    let bytes = 0;
    const finish = (answer: SocketAnswer) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(answer);
    };
    const timer = setTimeout(() => finish({ type: "late" }), timeoutMs);
    socket.on("connect", () => socket.write(`${line}\n`));
    socket.on("data", (chunk: Buffer) => {
      const end = chunk.indexOf(0x0a);
      parts.push(end === -1 ? chunk : chunk.subarray(0, end));
      bytes += chunk.length;
      if (end !== -1) finish({ type: "answered", line: Buffer.concat(parts).toString("utf8") });
      else if (bytes > maxBytes) finish({ type: "silent" });
    });
    // One that refuses early has often said why: what it said is read before the fault of writing on is told.
    socket.on("error", (error: NodeJS.ErrnoException) => {
      if (error.syscall === "connect") finish({ type: "unreachable", code: error.code ?? error.message });
    });
    socket.on("close", () => finish({ type: "silent" }));
  });
}
