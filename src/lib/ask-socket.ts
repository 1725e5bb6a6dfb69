import { createConnection } from "node:net";

export interface SocketRequest {
  /** Path of a local socket. */
  readonly path: string;
  /** The request, without a line break. */
  readonly line: string;
  /** Timeout of the whole call. */
  readonly timeoutMs: number;
}

export type SocketResponse =
  | { readonly type: "answered"; readonly line: string }
  /** No listener, or no permission; the system's error code. */
  | { readonly type: "unreachable"; readonly code: string }
  /** The connection was closed, or the response was too long, without a full line. */
  | { readonly type: "silent" }
  | { readonly type: "late" };

/** Maximum size of a response. */
const maxBytes = 4 << 20;

/** Sends one line to a socket and returns the response line. Never rejects. */
export function askSocket({ path, line, timeoutMs }: SocketRequest): Promise<SocketResponse> {
  return new Promise((resolve) => {
    const socket = createConnection({ path });
    const parts: Buffer[] = [];
    let bytes = 0;
    const finish = (answer: SocketResponse) => {
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
    // A server that refuses early has often sent the reason: read that before reporting the write error.
    socket.on("error", (error: NodeJS.ErrnoException) => {
      if (error.syscall === "connect") finish({ type: "unreachable", code: error.code ?? error.message });
    });
    socket.on("close", () => finish({ type: "silent" }));
  });
}
