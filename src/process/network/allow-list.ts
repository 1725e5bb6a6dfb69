/** Which hosts a confined agent may reach, and which addresses their names may have (PRV-21). Pure. */
import { BlockList, isIP } from "node:net";

export interface Destination {
  /** In lower case, without brackets: a name or an address. */
  readonly host: string;
  readonly port: number;
}

export interface AllowedHost extends Destination {
  /** A person named it, so its name may lead into a private network. */
  readonly isNamed: boolean;
}

const address = /^(?:\[([0-9a-f:.]+)\]|((?:\*\.)?[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?))(?::(\d{1,5}))?$/u;

/** @param text `HOST` or `HOST:PORT`, an address of IPv6 in brackets; `*.HOST` means each name below it. @returns null for another text */
export function destinationOf(text: string, standardPort = 443): Destination | null {
  const [, v6, name, port] = address.exec(text.toLowerCase().replace(/\.(?=:|$)/u, "")) ?? [];
  const host = v6 ?? name;
  const number = port === undefined ? standardPort : Number(port);
  if (host === undefined || (v6 !== undefined && isIP(v6) !== 6) || number < 1 || number > 65_535)
    return null;
  return { host, port: number };
}

/** The destination of a URL; null for a text that is none. */
export function destinationOfUrl(text: string): Destination | null {
  if (!/^(?:https?|wss?):\/\//iu.test(text) || !URL.canParse(text)) return null;
  const { hostname, port, protocol } = new URL(text);
  const standard = /^(?:https|wss):$/u.test(protocol) ? 443 : 80;
  return destinationOf(`${hostname}:${port === "" ? standard : port}`);
}

export function textOf({ host, port }: Destination): string {
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

/** The entry that allows the destination; null: it is refused. */
export function allowedBy(list: readonly AllowedHost[], { host, port }: Destination): AllowedHost | null {
  const matches = (entry: AllowedHost) =>
    entry.port === port &&
    (entry.host === host ||
      (entry.host.startsWith("*.") && isIP(host) === 0 && host.endsWith(entry.host.slice(1))));
  return list.find(matches) ?? null;
}

/** Whether it is a service of this machine. */
export function isLoopback({ host }: Destination): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

/**
 * Whether a name may have this address: no name leads to this machine, its link or the metadata of a cloud, and only a name
 * that a person gave into a private network. An address that is itself in the list is reachable.
 */
export function mayLeadTo(ip: string, { host, isNamed }: AllowedHost): boolean {
  if (host === ip || host === "localhost") return true;
  const family = isIP(ip) === 6 ? "ipv6" : "ipv4";
  return isIP(ip) !== 0 && !local.check(ip, family) && (isNamed || !inner.check(ip, family));
}

const local = listed([
  ["0.0.0.0", 8],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["100.100.100.200", 32],
  ["224.0.0.0", 3],
  ["::", 127],
  ["fe80::", 10],
  ["fd00:ec2::254", 128],
  ["ff00::", 8],
  ["64:ff9b::", 96],
]);

const inner = listed([
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["fc00::", 7],
]);

/** It also knows addresses of IPv4 that are written as IPv6. */
function listed(networks: readonly (readonly [network: string, bits: number])[]): BlockList {
  const list = new BlockList();
  for (const [network, bits] of networks)
    list.addSubnet(network, bits, isIP(network) === 6 ? "ipv6" : "ipv4");
  return list;
}
