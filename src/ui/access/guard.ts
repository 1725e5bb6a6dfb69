/** Refuses every request that does not come from the page itself, before anything reads it (SEE-07). Pure. */
import { loopbackHosts } from "../../process/network/loopback-server.ts";

export interface RequestFacts {
  readonly method: string;
  /** A header by its name in lower case. */
  readonly header: (name: string) => string | undefined;
}

export interface Refusal {
  readonly status: 403 | 405 | 415;
  readonly message: string;
}

/**
 * What no request may be, whatever it asks for. A web page of another origin can send requests to this port too, but with its own
 * Host (a name bound to 127.0.0.1) or its own Origin.
 */
export function refusalOf({ method, header }: RequestFacts, port: number): Refusal | null {
  const host = header("host")?.toLowerCase() ?? "";
  const hosts = loopbackHosts(port);
  if (!hosts.includes(host))
    return { status: 403, message: `this page is served at ${hosts.join(" and ")} only` };
  if (method === "GET") return null;
  if (method !== "POST") return { status: 405, message: "requests are GET or POST" };
  if (header("origin")?.toLowerCase() !== `http://${host}`)
    return {
      status: 403,
      message: "only the page itself may send this: its origin is missing or another one",
    };
  if (!/^application\/json\s*(;|$)/iu.test(header("content-type") ?? ""))
    return { status: 415, message: "the body is sent as application/json" };
  return null;
}

/** Whether a page of another origin asks: browsers say so. Another port of this machine is another origin, but the same site. */
export function isFromElsewhere({ header }: Pick<RequestFacts, "header">): boolean {
  const site = header("sec-fetch-site");
  return site !== undefined && site !== "same-origin" && site !== "none";
}

/** Sent with every answer: nothing of the page is stored, framed or run, except its own script and style. */
export const safeHeaders: Readonly<Record<string, string>> = {
  "Content-Security-Policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join("; "),
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
};
