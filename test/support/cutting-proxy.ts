import { connect, createServer, type Socket } from "node:net";
import { afterFile } from "./folder.ts";

export interface CuttingProxy {
  readonly port: number;
  /**
   * Cuts the connection at the next message of a client that contains `text`: before the server gets it, or after the server
   * answered, which the client never sees.
   */
  cutAt(text: string, when: "before" | "after"): void;
  /** Nothing passes, in either direction, until `mend`; then all of it does. */
  hold(): void;
  mend(): void;
  /** How often it has cut. */
  readonly cuts: number;
}

/** Passes connections on to a server of this machine, and cuts them on demand. */
export async function cuttingProxy(target: number): Promise<CuttingProxy> {
  let next: { readonly text: string; readonly when: "before" | "after" } | null = null;
  let cuts = 0;
  let isHeld = false;
  const sockets = new Set<Socket>();
  const proxy = createServer((client) => {
    const server = connect(target, "127.0.0.1");
    let isMute = false;
    const cut = () => {
      cuts += 1;
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.once("close", () => (client.destroy(), server.destroy()));
    }
    client.on("data", (bytes) => {
      if (next !== null && bytes.includes(next.text)) {
        const { when } = next;
        next = null;
        if (when === "before") return cut();
        isMute = true;
      }
      server.write(bytes);
    });
    server.on("data", (bytes) => {
      if (isMute) cut();
      else client.write(bytes);
    });
    if (isHeld) for (const socket of [client, server]) socket.pause(); // reading began with the listener
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  afterFile(() => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });
  const address = proxy.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    hold() {
      isHeld = true;
      for (const socket of sockets) socket.pause();
    },
    mend() {
      isHeld = false;
      for (const socket of sockets) socket.resume();
    },
    cutAt: (text, when) => void (next = { text, when }),
    get cuts() {
      return cuts;
    },
  };
}
