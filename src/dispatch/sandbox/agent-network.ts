/** The network of a confined agent: its own loopback interface, from which a bridge leads to the runtime's proxy (PRV-21). */
import { dirname } from "node:path";
import { makeFolder, removeFolder } from "../../channel/folder.ts";
import { packageRoot } from "../../config/package-root.ts";
import type { RunEvent } from "../../log/run-event.ts";
import { mask } from "../../lib/mask.ts";
import { isLoopback, textOf } from "../../process/network/allow-list.ts";
import { openProxy } from "../../process/network/proxy.ts";
import { upstreamOf } from "../../process/network/upstream.ts";
import type { Confinement } from "../../process/sandbox/confinement.ts";
import { rulesToShow } from "../../process/sandbox/places.ts";
import type { SandboxHost } from "../../sandbox/machine.ts";
import { hostsOf, type HostsRequest } from "./model-hosts.ts";

export interface AgentNetwork {
  /** The given confinement without the network of the machine. */
  readonly confinement: Confinement;
  /** What the agent may reach: `HOST:PORT`. */
  readonly hosts: readonly string[];
  /** The requests that were refused so far. */
  refused(key: string, secrets: readonly string[]): readonly RunEvent[];
  close(): Promise<void>;
}

export async function openAgentNetwork(
  confinement: Confinement,
  { host, ...request }: Omit<HostsRequest, "env"> & { readonly host: SandboxHost },
): Promise<AgentNetwork> {
  const allowed = await hostsOf({ ...request, env: host.env });
  const hosts = [...new Set(allowed.map(textOf))];
  const socket = await makeFolder();
  const proxy = await openProxy({ socket, allowed, upstream: upstreamOf(host.env) });
  const shown = await rulesToShow(dirname(socket), "readable", confinement.hidden);
  const forwards = [...new Set(allowed.filter(isLoopback).map(textOf))].join(",");
  const bridge = packageRoot("dist/bin/bridge.js");
  return {
    confinement: {
      ...confinement,
      network: "loopback",
      rules: [...confinement.rules, ...shown],
      through: [host.node, bridge, socket, forwards],
    },
    hosts,
    refused: (key, secrets) =>
      proxy.refused().map(({ host: name, port, count }) => ({
        type: "network.refused",
        key,
        host: mask(name, secrets).slice(0, 255),
        port,
        count,
      })),
    async close() {
      await proxy.close();
      await removeFolder(socket);
    },
  };
}
