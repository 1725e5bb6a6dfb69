/**
 * Claims a range of ports for each agent, so that the test servers of two agents never collide (CORE-63). Mettle listens on
 * the port below the range while the agent works: the system frees it if this process dies.
 */
import { createServer, type Server } from "node:net";
import { AppError } from "../../lib/errors.ts";

export interface Ports {
  /** The first of 99 ports, passed to the agent as METTLE_PORT_BASE. */
  readonly base: number;
  release(): Promise<void>;
}

const lowest = 20_000;
const width = 100;
/** All ranges end below the system's ephemeral ports (from 32768 on Linux). */
const ranges = 120;

export async function claimPorts(): Promise<Ports> {
  for (let range = 0; range < ranges; range++) {
    // Processes start at different ranges, so that they rarely try the same one.
    const held = lowest + ((range + process.pid) % ranges) * width;
    const server = await listenAt(held);
    if (server === null) continue;
    return { base: held + 1, release: () => new Promise((done) => server.close(() => done())) };
  }
  throw new AppError("ports_taken", `all ${ranges} port ranges from ${lowest} on are taken`, {
    hint: "wait until other agents have ended, or lower `graph.parallel`",
    retry: "safe",
  });
}

/** @returns null if the port is in use */
function listenAt(port: number): Promise<Server | null> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    server.unref();
    server.once("error", () => resolve(null));
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => resolve(server));
  });
}
