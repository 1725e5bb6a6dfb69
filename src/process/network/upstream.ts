/** The user's own proxy, from the variables that name it. Pure. */
import { isLoopback, type Destination } from "./allow-list.ts";

/** @returns the proxy for each destination; null: none */
export function upstreamOf(env: Readonly<Record<string, string>>): (wanted: Destination) => string | null {
  const value = (name: string) => env[name] ?? env[name.toLowerCase()] ?? "";
  const plain = proxyUrl(value("HTTP_PROXY"));
  const secure = proxyUrl(value("HTTPS_PROXY")) ?? plain;
  const direct = value("NO_PROXY")
    .split(",")
    .map((part) => part.trim().toLowerCase())
    .filter((part) => part !== "");
  return (wanted) => (isDirect(wanted, direct) ? null : wanted.port === 80 ? (plain ?? secure) : secure);
}

/** Only proxies of HTTP are known. */
function proxyUrl(text: string): string | null {
  const url = text === "" || text.includes("://") ? text : `http://${text}`;
  return /^https?:\/\//u.test(url) && URL.canParse(url) ? url : null;
}

function isDirect(wanted: Destination, direct: readonly string[]): boolean {
  if (isLoopback(wanted)) return true;
  const { host, port } = wanted;
  return direct.some((part) => {
    const [, name = "", only] = /^\*?\.?(.*?)(?::(\d+))?$/u.exec(part) ?? [];
    if (part === "*") return true;
    return (only === undefined || Number(only) === port) && (host === name || host.endsWith(`.${name}`));
  });
}
