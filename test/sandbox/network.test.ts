/** A confined agent tries to reach more than the host of its model (PRV-21). */
import { createSocket } from "node:dgram";
import { createServer as createHttpServer } from "node:http";
import { mkdir, realpath, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo, type ListenOptions } from "node:net";
import { join } from "node:path";
import { expect } from "vitest";
import { runProgram } from "../../src/agents/program.ts";
import { defaultSettings } from "../../src/config/settings.ts";
import { openAgentNetwork } from "../../src/dispatch/sandbox/agent-network.ts";
import { textOf } from "../../src/process/network/allow-list.ts";
import { afterFile, newFolder } from "../support/folder.ts";
import { verifiesWhen } from "../verifies.ts";
import { confinesHere } from "./bubblewrap.ts";
import { confinementAt } from "./confinement-at.ts";
import { networkEscapes } from "./network-escapes.ts";

verifiesWhen(
  confinesHere(),
  "bubblewrap does not work here",
  "PRV-21",
  "a confined agent reaches its model, directly and by the proxy, and by none of nineteen ways anything else",
  async () => {
    const root = await realpath(newFolder());
    const [work, home, user] = ["work", "home", "user"].map((name) => join(root, name)) as [
      string,
      string,
      string,
    ];
    for (const folder of [work, home, user]) await mkdir(folder);
    const reached: string[] = [];
    const listen = async (name: string, options: ListenOptions) => {
      const server = createServer((client) => {
        reached.push(name);
        client.end();
      }).listen(options);
      afterFile(() => server.close());
      await new Promise((resolve) => server.once("listening", resolve));
      return (server.address() as AddressInfo).port;
    };
    const tcp = await listen("tcp", { host: "127.0.0.1", port: 0 });
    await listen("ipv6", { host: "::1", port: tcp }).catch(() => 0);
    const [unnamed, socket] = [`mettle-${process.pid}`, join(user, "s")];
    await listen("abstract", { path: `\0${unnamed}` });
    await listen("socket", { path: socket });
    const udp = createSocket("udp4").on("message", (_text, { port }) => {
      reached.push("udp");
      udp.send("here", port, "127.0.0.1");
    });
    await new Promise<void>((resolve) => udp.bind(0, "127.0.0.1", resolve));
    afterFile(() => udp.close());
    const model = createHttpServer((_asked, response) => response.end("model"));
    await new Promise<void>((resolve) => model.listen(0, "127.0.0.1", resolve));
    afterFile(() => model.close());
    const port = (model.address() as AddressInfo).port;

    const file = join(work, "escape.cjs");
    await writeFile(
      file,
      networkEscapes({ tcp, udp: udp.address().port, unnamed, socket, model: port, named: "named.test" }),
    );
    const settings = defaultSettings();
    const network = await openAgentNetwork(await confinementAt({ cwd: work, home }), {
      agent: { name: "mine" },
      settings: { ...settings, agents: { ...settings.agents, network: ["named.test"], env: ["MODEL_URL"] } },
      host: { path: "", env: { MODEL_URL: `http://127.0.0.1:${port}/v1` }, node: process.execPath },
    });
    afterFile(() => network.close());
    const lines: string[] = [];
    const ended = await runProgram(
      {
        file: process.execPath,
        argv: [file],
        env: { PATH: process.env["PATH"] ?? "", HOME: home },
        input: "",
        onLine: ({ text }) => lines.push(text.trim()),
      },
      { cwd: work, wallMs: 20_000, idleMs: 20_000, confinement: network.confinement },
      new AbortController().signal,
    );
    expect(ended).toMatchObject({ type: "exited", code: 0 });
    expect(lines.filter((line) => line.endsWith(": got through"))).toEqual([
      "control: model: got through",
      "control: model by the proxy: got through",
      "control: own server: got through",
    ]);
    expect(lines).toHaveLength(22);
    expect(reached).toEqual([]);
    expect(network.hosts).toEqual(["named.test:443", `127.0.0.1:${port}`]);
    const refused = network
      .refused("coder", [])
      .flatMap((event) => (event.type === "network.refused" ? [textOf(event)] : []));
    expect(refused.toSorted()).toEqual(
      [
        `[::ffff:127.0.0.1]:${tcp}`,
        `127.0.0.1:${tcp}`,
        "169.254.169.254:80",
        `2130706433:${tcp}`,
        "internal.test:80",
        `localhost:${tcp}`,
        "named.test:22",
        "unlisted.test:443",
      ].toSorted(),
    );
  },
);
