/** Authorises HTTP requests and limits their size, before any MCP code reads them. */
import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { sha256 } from "../lib/hash.ts";
import { loopbackHosts } from "../process/network/loopback-server.ts";
import { maxMessageBytes } from "./bounded-input.ts";

export interface HttpRefusal {
  readonly type: "refused";
  readonly status: number;
  readonly message: string;
}

/** Null: allowed. Web pages can reach this port too, but with their own Host or Origin, and without the token. */
export function refusalOf(
  request: IncomingMessage,
  { port, token }: { port: number; token: string },
): HttpRefusal | null {
  const hosts = loopbackHosts(port);
  const { host, origin, authorization } = request.headers;
  if (host === undefined || !hosts.includes(host.toLowerCase()))
    return httpRefusal(403, `this server answers at ${hosts.join(" and ")} only`);
  if (origin !== undefined && !hosts.some((own) => origin.toLowerCase() === `http://${own}`))
    return httpRefusal(403, "web pages may not call this server");
  if (new URL(request.url ?? "/", `http://${host}`).pathname !== "/mcp")
    return httpRefusal(404, "MCP is spoken at /mcp");
  const given = /^Bearer (\S+)$/iu.exec(authorization ?? "")?.[1] ?? "";
  if (!timingSafeEqual(Buffer.from(sha256(given)), Buffer.from(sha256(token))))
    return httpRefusal(
      401,
      "the bearer token is missing or wrong; `mettle mcp --http` names the file that holds it",
    );
  return null;
}

/** Bytes of concurrent requests, over all connections. */
const maxBufferedBytes = 4 * maxMessageBytes;
let bufferedBytes = 0;

export type HttpBody = { readonly type: "body"; readonly value: unknown } | HttpRefusal;

/** Parses the JSON body of a request, up to the size limit. */
export async function bodyOf(request: IncomingMessage): Promise<HttpBody> {
  if (Number(request.headers["content-length"] ?? 0) > maxMessageBytes) return tooLarge;
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      if (!Buffer.isBuffer(chunk)) continue;
      bytes += chunk.length;
      bufferedBytes += chunk.length;
      if (bytes > maxMessageBytes) return tooLarge;
      if (bufferedBytes > maxBufferedBytes)
        return httpRefusal(503, "too much is being sent at once; send it again later");
      parts.push(chunk);
    }
    return { type: "body", value: JSON.parse(Buffer.concat(parts).toString("utf8")) };
  } catch {
    // Truncated, or not JSON.
    return httpRefusal(400, "the body is not JSON");
  } finally {
    bufferedBytes -= bytes;
  }
}

const tooLarge = httpRefusal(413, `a request has at most ${maxMessageBytes} bytes; send it in smaller parts`);

export function httpRefusal(status: number, message: string): HttpRefusal {
  return { type: "refused", status, message };
}
