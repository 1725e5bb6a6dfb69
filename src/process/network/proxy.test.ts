/** The proxy against servers on loopback: what it lets through, and what it refuses. */
import { createServer as createHttpServer, request } from "node:http";
import { createServer, type AddressInfo, type Server } from "node:net";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { afterFile, newFolder } from "../../../test/support/folder.ts";
import { destinationOf, destinationOfUrl, mayLeadTo, textOf } from "./allow-list.ts";
import { openProxy, type NetworkProxy, type ProxyOptions } from "./proxy.ts";
import { upstreamOf } from "./upstream.ts";

let port: number;
/** The head of the last request to the server. */
let seen: { readonly url: string; readonly host: string } | null = null;
beforeAll(async () => {
  const server = createHttpServer((asked, response) => {
    seen = { url: asked.url ?? "", host: asked.headers.host ?? "" };
    response.end("served");
  });
  port = await listen(server);
});

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterFile(() => server.close());
  return (server.address() as AddressInfo).port;
}

async function open(
  hosts: readonly string[],
  more: Partial<ProxyOptions> = {},
): Promise<{ readonly proxy: NetworkProxy; readonly socket: string }> {
  const socket = join(newFolder(), "s");
  const allowed = hosts.flatMap((text) => {
    const found = destinationOf(text);
    return found === null ? [] : [{ ...found, isNamed: true }];
  });
  const proxy = await openProxy({ socket, allowed, upstream: () => null, ...more });
  afterFile(() => proxy.close());
  return { proxy, socket };
}

type Answer = readonly [status: number, text: string];

/** A request with an absolute URL. */
function get(socket: string, url: string, host = new URL(url).host): Promise<Answer> {
  return ask(socket, { path: url, headers: { host } });
}

/** A tunnel, and a request in it. */
function tunnel(socket: string, to: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request({ socketPath: socket, method: "CONNECT", path: to })
      .once("connect", (answer, stream, head) => {
        const status = answer.statusCode ?? 0;
        if (status !== 200) {
          let text = String(head);
          stream
            .on("data", (chunk) => (text += String(chunk)))
            .once("close", () => resolve([status, text]))
            .end();
          return;
        }
        request({ createConnection: () => stream, path: "/inside" }, (inner) => {
          inner.once("data", (text) => resolve([inner.statusCode ?? 0, String(text)]));
        }).end();
      })
      .once("error", reject)
      .end();
  });
}

function ask(
  socketPath: string,
  options: { readonly path: string; readonly headers: Record<string, string> },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request({ socketPath, ...options }, (answer) => {
      let text = "";
      answer
        .on("data", (chunk) => (text += String(chunk)))
        .once("end", () => resolve([answer.statusCode ?? 0, text]));
    })
      .once("error", reject)
      .end();
  });
}

test("an allowed host answers through a tunnel and by an absolute URL", async () => {
  const { proxy, socket } = await open([`127.0.0.1:${port}`, `localhost:${port}`]);
  expect(await tunnel(socket, `127.0.0.1:${port}`)).toEqual([200, "served"]);
  expect(await get(socket, `http://LOCALHOST:${port}/a?b=c`)).toEqual([200, "served"]);
  expect(seen).toEqual({ url: "/a?b=c", host: `localhost:${port}` });
  expect(proxy.refused()).toEqual([]);
});

test("everything else is refused and counted by destination", async () => {
  const { proxy, socket } = await open(["model.test", `127.0.0.1:${port}`]);
  const refused = (name: string) => [
    403,
    `${name} is not reachable from the sandbox: name it under agents.network in mettle.yaml\n`,
  ];
  for (const name of [
    "other.test:443",
    "model.test:22",
    "169.254.169.254:80",
    `[::1]:${port}`,
    `127.1:${port}`,
    `localhost:${port}`,
  ])
    expect(await tunnel(socket, name)).toEqual(refused(name));
  expect(await get(socket, `http://[::ffff:127.0.0.1]:${port}/`)).toEqual(refused(`[::ffff:7f00:1]:${port}`));
  expect(await get(socket, `http://127.0.0.1:${port}/`, "internal.test")).toEqual(
    refused("internal.test:80"),
  );
  expect((await get(socket, "http://other.test:443/"))[0]).toBe(403);
  expect((await ask(socket, { path: "/", headers: { host: `127.0.0.1:${port}` } }))[0]).toBe(400);
  expect((await tunnel(socket, "no-port"))[0]).toBe(400);
  expect(proxy.refused().map((one) => `${textOf(one)} ${one.count}`)).toEqual([
    "other.test:443 2",
    "model.test:22 1",
    "169.254.169.254:80 1",
    `[::1]:${port} 1`,
    `127.1:${port} 1`,
    `localhost:${port} 1`,
    `[::ffff:7f00:1]:${port} 1`,
    "internal.test:80 1",
  ]);
});

test("an allowed name that leads to this machine or to a cloud's metadata is refused, whatever its other addresses", async () => {
  const addresses: Record<string, readonly string[]> = {
    "rebound.test": ["127.0.0.1"],
    "mapped.test": ["::ffff:127.0.0.1", "::1"],
    "metadata.test": ["169.254.169.254"],
    "gone.test": [],
  };
  const resolve = async (host: string) => addresses[host] ?? [];
  const { proxy, socket } = await open(
    Object.keys(addresses).map((host) => `${host}:${port}`),
    { resolve },
  );
  const statuses = await Promise.all(Object.keys(addresses).map((host) => tunnel(socket, `${host}:${port}`)));
  expect(statuses.map(([status]) => status)).toEqual([403, 403, 403, 502]);
  expect(
    proxy
      .refused()
      .map(({ host }) => host)
      .toSorted(),
  ).toEqual(["mapped.test", "metadata.test", "rebound.test"]);
});

test("only a name that a person gave may lead into a private network", () => {
  const named = { host: "git.test", port: 443, isNamed: true };
  const builtIn = { ...named, isNamed: false };
  const inner = ["10.1.2.3", "172.16.0.1", "192.168.1.1", "fd12::1", "::ffff:10.1.2.3"];
  expect(inner.map((ip) => [mayLeadTo(ip, named), mayLeadTo(ip, builtIn)])).toEqual(
    inner.map(() => [true, false]),
  );
  for (const ip of [
    "0.0.0.0",
    "127.9.9.9",
    "169.254.0.1",
    "fe80::1",
    "::",
    "fd00:ec2::254",
    "100.100.100.200",
    "64:ff9b::7f00:1",
    "nothing",
  ])
    expect([ip, mayLeadTo(ip, named)]).toEqual([ip, false]);
  for (const ip of ["203.0.113.7", "2001:db8::7"]) expect(mayLeadTo(ip, builtIn)).toBe(true);
  expect(mayLeadTo("169.254.169.254", { host: "169.254.169.254", port: 80, isNamed: true })).toBe(true);
});

test("hosts are read from texts and URLs", () => {
  const read = (text: string) => destinationOf(text) ?? destinationOfUrl(text);
  const texts = [
    "Pypi.org",
    "pypi.org.:8080",
    "*.example.com",
    "[::1]:4000",
    "http://h.test/v1",
    "https://[::1]/",
    "wss://h.test:9",
  ];
  expect(texts.map((text) => textOf(read(text) ?? { host: "", port: 0 }))).toEqual([
    "pypi.org:443",
    "pypi.org:8080",
    "*.example.com:443",
    "[::1]:4000",
    "h.test:80",
    "[::1]:443",
    "h.test:9",
  ]);
  for (const text of [
    "",
    "a b",
    "h.test:0",
    "h.test:99999",
    "/path",
    "user@h.test",
    "file:///x",
    "[h.test]:1",
  ])
    expect([text, read(text)]).toEqual([text, null]);
});

test("refused destinations beyond the first 50 are counted together", async () => {
  const { proxy, socket } = await open([]);
  for (let n = 0; n < 53; n++) await tunnel(socket, `h${n}.test:443`);
  expect(proxy.refused()).toHaveLength(51);
  expect(proxy.refused().at(-1)).toEqual({ host: "others", port: 0, count: 3 });
});

test("the user's own proxy gets the connection, with its login, except where NO_PROXY excludes it", async () => {
  const asked: string[] = [];
  const theirs = createServer((client) => {
    client.on("error", () => {});
    client.once("data", (head) => {
      asked.push(String(head));
      client.write("HTTP/1.1 200 OK\r\n\r\n");
      request({ host: "127.0.0.1", port, path: "/" }, (answer) => answer.pipe(client)).end();
    });
  });
  const at = await listen(theirs);
  const env = {
    HTTPS_PROXY: `http://me:pass%20word@127.0.0.1:${at}`,
    NO_PROXY: "*.direct.test,plain.test:443",
  };
  const upstream = upstreamOf(env);
  const { socket } = await open(["model.test"], { upstream });
  const stream = await new Promise<string>((resolve) => {
    request({ socketPath: socket, method: "CONNECT", path: "model.test:443" })
      .once("connect", (_answer, tunnelled) => tunnelled.once("data", (text) => resolve(String(text))))
      .end();
  });
  expect(stream).toBe("served");
  expect(asked).toEqual([
    `CONNECT model.test:443 HTTP/1.1\r\nHost: model.test:443\r\nProxy-Authorization: Basic ${Buffer.from("me:pass word").toString("base64")}\r\n\r\n`,
  ]);
  const direct = ["a.direct.test:443", "plain.test:443", "127.0.0.1:443", "localhost:1"].map(
    (text) => destinationOf(text) ?? { host: "", port: 0 },
  );
  expect(direct.map(upstream)).toEqual([null, null, null, null]);
  expect(upstream({ host: "plain.test", port: 80 })).toContain("127.0.0.1");
  expect(upstreamOf({ ALL_PROXY: "socks5://127.0.0.1:1" })({ host: "model.test", port: 443 })).toBe(null);
});
