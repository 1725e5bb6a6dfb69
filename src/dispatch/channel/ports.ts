/**
 * A range of ports for each agent at work, so that servers under test of two agents never meet (CORE-63). The port below
 * the range is held open as long as the agent works: the system knows whose it is, and frees it when this process dies.
 */
import { createServer, type Server } from "node:net";
import { AppError } from "../../lib/errors.ts";

export interface Ports {
  /** The first of 99 ports, told to the agent as METTLE_PORT_BASE. */
  readonly base: number;
  release(): Promise<void>;
}

const lowest = 20_000;
const width = 100;
/** Together they end below what systems hand out by themselves (32768 on Linux). */
const ranges = 120;

export async function claimPorts(): Promise<Ports> {
  for (let range = 0; range < ranges; range++) {
    // Processes begin at different places, so that they seldom ask for the same one.
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

/** Null where somebody else has it. */
function listenAt(port: number): Promise<Server | null> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    server.unref();
    server.once("error", () => resolve(null));
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => resolve(server));
  });
}
