/** Opens a connection to an allowed host: to one of its addresses, or through the user's own proxy. */
import { lookup } from "node:dns/promises";
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { mayLeadTo, textOf, type AllowedHost, type Destination } from "./allow-list.ts";

export interface DialOptions {
  /** The user's own proxy, an `http:` or `https:` URL; null: none. */
  readonly upstream: (wanted: Destination) => string | null;
  /** Default: by the machine. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
}

const connectMs = 30_000;

/** @returns `refused` if no address of the name is allowed, else why the connection failed */
export async function dial(
  wanted: Destination,
  entry: AllowedHost,
  { upstream, resolve = resolveHere }: DialOptions,
): Promise<Socket | string> {
  const via = upstream(wanted);
  if (via !== null) return dialVia(wanted, new URL(via));
  const addresses = await resolve(wanted.host).catch(() => null);
  if (addresses === null || addresses.length === 0) return `${wanted.host} cannot be resolved`;
  const open = addresses.filter((ip) => mayLeadTo(ip, entry));
  if (open.length === 0) return "refused";
  let why = "";
  for (const host of open.slice(0, 4)) {
    const reached = await connected(connect({ host, port: wanted.port }));
    if (typeof reached !== "string") return reached;
    why = reached;
  }
  return `${textOf(wanted)}: ${why}`;
}

async function resolveHere(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

function connected(socket: Socket, event = "connect"): Promise<Socket | string> {
  return new Promise((resolve) => {
    const late = setTimeout(() => end("no connection within 30 s"), connectMs);
    const failed = (error: Error) => end(error.message);
    const end = (result: Socket | string) => {
      clearTimeout(late);
      socket.off("error", failed);
      if (typeof result === "string") socket.on("error", () => {}).destroy();
      resolve(result);
    };
    socket.once(event, () => end(socket)).once("error", failed);
  });
}

/** The name is resolved there. */
async function dialVia(wanted: Destination, proxy: URL): Promise<Socket | string> {
  const isTls = proxy.protocol === "https:";
  const host = proxy.hostname.replace(/^\[|\]$/gu, "");
  const port = Number(proxy.port) || (isTls ? 443 : 80);
  const socket = await (isTls
    ? connected(connectTls({ host, port, servername: host }), "secureConnect")
    : connected(connect({ host, port })));
  if (typeof socket === "string") return `the proxy ${proxy.host}: ${socket}`;
  const login = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  const authorization =
    login === ":" ? "" : `Proxy-Authorization: Basic ${Buffer.from(login).toString("base64")}\r\n`;
  socket.write(`CONNECT ${textOf(wanted)} HTTP/1.1\r\nHost: ${textOf(wanted)}\r\n${authorization}\r\n`);
  const status = await answerOf(socket);
  if (status === 200) return socket;
  socket.on("error", () => {}).destroy();
  return `the proxy ${proxy.host} answers ${status ?? "nothing"} for ${textOf(wanted)}`;
}

/** Reads up to the end of the answer's head, and leaves the rest in the socket. @returns the status; null: none */
function answerOf(socket: Socket): Promise<number | null> {
  return new Promise((resolve) => {
    let read = Buffer.alloc(0);
    const late = setTimeout(() => end(null), connectMs);
    const end = (status: number | null) => {
      clearTimeout(late);
      socket.off("readable", onReadable).off("end", onEnd).off("error", onEnd);
      resolve(status);
    };
    const onEnd = () => end(null);
    const onReadable = () => {
      for (
        let chunk = socket.read() as Buffer | null;
        chunk !== null;
        chunk = socket.read() as Buffer | null
      ) {
        read = Buffer.concat([read, chunk]);
        const at = read.indexOf("\r\n\r\n");
        if (at === -1 && read.length < 16_384) continue;
        if (at !== -1 && read.length > at + 4) socket.unshift(read.subarray(at + 4));
        return end(
          at === -1 ? null : Number(/^HTTP\/1\.\d (\d{3})/u.exec(read.toString("latin1"))?.[1] ?? 0),
        );
      }
    };
    socket.on("readable", onReadable).once("end", onEnd).once("error", onEnd);
  });
}
