import { connect, createServer, type Socket } from "node:net";
import { afterFile } from "./folder.ts";

export interface CuttingProxy {
  readonly port: number;
  /**
   * Cuts the connection at the next message of a client that contains `text`: before the server gets it, or after the server has
   * ended the transaction or waits for its next statement, which the client never sees.
   */
  cutAt(text: string, when: "before" | "after"): void;
  /** Nothing passes, in either direction, until `mend`; then all of it does. */
  hold(): void;
  mend(): void;
  /** How often it has cut. */
  readonly cuts: number;
  /** How often a client sent something after an answer of the server. */
  readonly roundTrips: number;
}

/** PostgreSQL's ReadyForQuery outside a transaction. */
const idle = Buffer.from("Z\0\0\0\x05I", "latin1");

/** In a transaction the server says nothing more until the next statement, unless that was sent already. */
const silentMs = 100;

/** Passes connections on to a server of this machine, and cuts them on demand. */
export async function cuttingProxy(target: number): Promise<CuttingProxy> {
  let next: { readonly text: string; readonly when: "before" | "after" } | null = null;
  let cuts = 0;
  let roundTrips = 0;
  let isHeld = false;
  const sockets = new Set<Socket>();
  const proxy = createServer((client) => {
    const server = connect(target, "127.0.0.1");
    let isMute = false;
    let isAnswered = true;
    let silence: NodeJS.Timeout | undefined;
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
      if (isAnswered) roundTrips += 1;
      isAnswered = false;
      if (next !== null && bytes.includes(next.text)) {
        const { when } = next;
        next = null;
        if (when === "before") return cut();
        isMute = true;
      }
      server.write(bytes);
    });
    server.on("data", (bytes) => {
      isAnswered = true;
      clearTimeout(silence);
      if (!isMute) client.write(bytes);
      else if (bytes.subarray(-idle.length).equals(idle)) cut();
      else silence = setTimeout(cut, silentMs);
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
    get roundTrips() {
      return roundTrips;
    },
  };
}
