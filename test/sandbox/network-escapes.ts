/** Ways out of the network of a confined agent, as a program that prints the name of each one and whether it got through. */
export interface NetworkPlaces {
  /** A TCP service and a UDP service of the machine on loopback. */
  readonly tcp: number;
  readonly udp: number;
  /** A socket without a file, and one in a folder of the user. */
  readonly unnamed: string;
  readonly socket: string;
  /** The allowed service on loopback. */
  readonly model: number;
  /** A host that the settings name, for port 443. */
  readonly named: string;
}

export function networkEscapes(places: NetworkPlaces): string {
  return `
const dgram = require("node:dgram"), dns = require("node:dns"), http = require("node:http"), net = require("node:net");
const { tcp, udp, unnamed, socket, model, named } = ${JSON.stringify(places)};
const proxy = new URL(process.env.HTTPS_PROXY ?? "http://127.0.0.1:9");
const within = (attempt) => Promise.race([
  new Promise(attempt), new Promise((resolve) => setTimeout(() => resolve("nothing"), 1500).unref()),
]).catch((error) => error.code ?? String(error));
const connect = (target) => within((resolve, reject) =>
  net.connect(target).once("connect", () => resolve("got through")).once("error", reject));
const datagram = (port, address) => within((resolve, reject) => {
  const client = dgram.createSocket(net.isIP(address) === 6 ? "udp6" : "udp4").unref();
  client.once("message", () => resolve("got through")).once("error", reject);
  client.send("who is there?", port, address, (error) => error && reject(error));
});
const resolver = (port) => within((resolve, reject) => {
  const one = new dns.Resolver({ timeout: 500, tries: 1 });
  one.setServers(["127.0.0.1:" + port]);
  one.resolve4("secret.example.test", (error) => (error ? reject(error) : resolve("got through")));
});
const raw = (text) => within((resolve, reject) => {
  const client = net.connect(Number(proxy.port), proxy.hostname, () => client.write(text));
  client.once("data", (data) => {
    const status = String(data).split(" ")[1];
    resolve(status === "200" ? "got through" : status);
  }).once("error", reject).once("close", () => resolve("closed"));
});
const tunnel = (to) => raw("CONNECT " + to + " HTTP/1.1\\r\\nHost: " + to + "\\r\\n\\r\\n");
const absolute = (url, host) => raw("GET " + url + " HTTP/1.1\\r\\nHost: " + host + "\\r\\nConnection: close\\r\\n\\r\\n");
const own = () => within((resolve, reject) => {
  const server = http.createServer((_, response) => response.end("own")).listen(0, "127.0.0.1", () =>
    http.get({ port: server.address().port }, (answer) => { server.close(); resolve(answer.statusCode === 200 ? "got through" : "?"); }).once("error", reject));
});
const attempts = {
  "control: model": () => connect({ host: "127.0.0.1", port: model }),
  "control: model by the proxy": () => absolute("http://127.0.0.1:" + model + "/", "127.0.0.1:" + model),
  "control: own server": own,
  "tcp": () => connect({ host: "127.0.0.1", port: tcp }),
  "name": () => connect({ host: "localhost", port: tcp }),
  "ipv6": () => connect({ host: "::1", port: tcp }),
  "metadata": () => connect({ host: "169.254.169.254", port: 80 }),
  "udp": () => datagram(udp, "127.0.0.1"),
  "dns": () => resolver(udp),
  "dns by tcp": () => connect({ host: "127.0.0.1", port: 53 }),
  "dns of the machine": () => within((resolve, reject) => dns.lookup("example.test", (error) => (error ? reject(error) : resolve("got through")))),
  "abstract socket": () => connect("\\0" + unnamed),
  "socket": () => connect(socket),
  "proxy: unlisted host": () => tunnel("unlisted.test:443"),
  "proxy: other port": () => tunnel(named + ":22"),
  "proxy: loopback service": () => tunnel("127.0.0.1:" + tcp),
  "proxy: loopback by name": () => tunnel("localhost:" + tcp),
  "proxy: metadata": () => absolute("http://169.254.169.254/latest/", "169.254.169.254"),
  "proxy: number": () => tunnel("2130706433:" + tcp),
  "proxy: mapped": () => tunnel("[::ffff:127.0.0.1]:" + tcp),
  "proxy: other host header": () => absolute("http://127.0.0.1:" + model + "/", "internal.test"),
  "proxy: host header alone": () => raw("GET / HTTP/1.1\\r\\nHost: 127.0.0.1:" + tcp + "\\r\\nConnection: close\\r\\n\\r\\n"),
};
(async () => {
  const results = await Promise.all(Object.entries(attempts).map(async ([name, attempt]) => name + ": " + (await attempt())));
  console.log(results.join("\\n"));
  process.exit(0);
})();
`;
}
