/**
 * The first program in the sandbox of an agent: it leads the loopback interface there to the runtime's proxy, which has a
 * socket, and starts the agent's own program (PRV-21). Its arguments: the socket, loopback destinations that the agent may
 * reach (`127.0.0.1:4000,localhost:4000`), then the program with its arguments.
 */
import { spawn } from "node:child_process";
import { connect, createServer, type Socket } from "node:net";
import { constants } from "node:os";

const [socket = "", forwards = "", file = "", ...argv] = process.argv.slice(2);

const port = await listenAt("127.0.0.1", 0, (client) => join(client, connect(socket)));
for (const wanted of forwards.split(",").filter((text) => text !== "")) {
  const [, host = "", number = ""] = /^\[?(.*?)\]?:(\d+)$/u.exec(wanted) ?? [];
  // Clients do not use a proxy for loopback, so its place is taken.
  for (const at of host === "localhost" ? ["127.0.0.1", "::1"] : [host])
    await listenAt(at, Number(number), (client) => tunnel(client, wanted));
}
const proxy = `http://127.0.0.1:${port}`;
const proxies = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"].flatMap((name) => [name, name.toLowerCase()]);
const loopback = "localhost,127.0.0.1,::1";
const env = {
  ...process.env,
  ...Object.fromEntries(proxies.map((name) => [name, proxy])),
  NO_PROXY: loopback,
  no_proxy: loopback,
  // Node.js 24 and newer then use these variables.
  NODE_USE_ENV_PROXY: "1",
};
const child = spawn(file, argv, { stdio: "inherit", env });
child.once("error", (error: NodeJS.ErrnoException) => {
  const why = error.code === "ENOENT" ? "No such file or directory" : "Permission denied";
  // What bubblewrap would say, had it started the program itself.
  process.stderr.write(`bwrap: execvp ${file}: ${why}\n`);
  process.exit(1);
});
child.once("exit", (code, signal) =>
  process.exit(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
);

/** @returns the port; 0 where the address is not there, such as that of IPv6 */
function listenAt(host: string, at: number, use: (client: Socket) => void): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer({ allowHalfOpen: true }, use);
    server.once("error", () => resolve(0));
    server.listen(at, host, () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
  });
}

function join(one: Socket, other: Socket): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const)
    from.on("error", () => to.destroy()).once("close", () => to.destroy());
  one.pipe(other).pipe(one);
}

function tunnel(client: Socket, wanted: string): void {
  const proxied = connect(socket);
  proxied.write(`CONNECT ${wanted} HTTP/1.1\r\nHost: ${wanted}\r\n\r\n`);
  let read = Buffer.alloc(0);
  const onData = (chunk: Buffer) => {
    read = Buffer.concat([read, chunk]);
    const at = read.indexOf("\r\n\r\n");
    if (at === -1) return;
    proxied.off("data", onData);
    if (!read.toString("latin1").startsWith("HTTP/1.1 200 ")) return void client.destroy();
    client.write(read.subarray(at + 4));
    join(client, proxied);
  };
  client.on("error", () => proxied.destroy());
  proxied.on("error", () => client.destroy()).on("data", onData);
}
