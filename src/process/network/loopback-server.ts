/** What servers for programs of this machine share: they listen on the loopback only, and answer by its names only. */
import type { Server } from "node:http";
import { AppError } from "../../lib/errors.ts";

/** Listens on the loopback only, since there is no encryption. @param port 0: any free one @returns the port */
export function listenOnLoopback(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause) =>
      reject(
        new AppError("usage", `port ${port} of 127.0.0.1 cannot be listened at: ${cause.message}`, {
          hint: "Name another port, or 0 for one that is free.",
          cause,
        }),
      ),
    );
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}

/** The values of `Host` for a server on this port; another one comes from a web page whose name was bound to 127.0.0.1. */
export function loopbackHosts(port: number): readonly string[] {
  return [`127.0.0.1:${port}`, `localhost:${port}`];
}
