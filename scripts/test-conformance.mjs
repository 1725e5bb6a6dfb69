// Runs the official conformance scenarios of MCP that ask nothing of a server's own tools against `mettle mcp --http`.
// The others want fixture tools by name (test_image and the like), or what this server does not claim: prompts, logging,
// completion.
// node scripts/test-conformance.mjs [SCENARIO…]; installs what it needs below the work folder, once.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installPackage } from "./setup/install-package.mjs";
import { root, work } from "./setup/root.mjs";

const version = "0.1.16";
const scenarios = [
  "server-initialize",
  "ping",
  "tools-list",
  "server-sse-multiple-streams",
  "resources-list",
  "resources-subscribe",
  "resources-unsubscribe",
  "dns-rebinding-protection",
];

const asked = process.argv.slice(2);
const node = await installed("node", "22", ["node", "bin", "node"]);
const program = await installed("@modelcontextprotocol/conformance", version, [
  "@modelcontextprotocol/conformance",
  "dist",
  "index.js",
]);
process.exitCode = node === null || program === null ? 5 : await measure();

async function measure() {
  const folder = mkdtempSync(join(tmpdir(), "mettle-conformance-"));
  const env = { PATH: process.env.PATH, HOME: folder, METTLE_HOME: join(folder, "state") };
  spawnSync("git", ["init", "--quiet", folder], { env });
  const server = spawn(process.execPath, [join(root, "dist/bin/mettle.js"), "mcp", "--http", "0"], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const { port, token } = await told(server);
    const proxy = await bearing(port, token);
    const url = `http://127.0.0.1:${proxy.address().port}/mcp`;
    let failed = 0;
    for (const scenario of asked.length > 0 ? asked : scenarios) {
      const ran = await run(node, [program, "server", "--url", url, "--scenario", scenario], {
        cwd: folder,
        env,
      });
      failed += ran.status === 0 ? 0 : 1;
      process.stdout.write(`conformance: ${scenario}: ${ran.status === 0 ? "passed" : "FAILED"}\n`);
      if (ran.status !== 0) process.stdout.write(`${ran.text}\n`);
    }
    proxy.close();
    return failed === 0 ? 0 : 1;
  } finally {
    server.kill("SIGTERM");
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Path of a file of the package, or null when the step failed and has been reported. */
async function installed(name, wanted, path) {
  const folder = join(work, "conformance", name.replaceAll("/", "-"), wanted);
  const file = join(folder, "node_modules", ...path);
  if (spawnSync("test", ["-f", file]).status === 0) return file;
  return (await installPackage(`${name}@${wanted}`, folder)) === 0 ? file : null;
}

function told(server) {
  return new Promise((resolve, reject) => {
    let said = "";
    server.once("close", () => reject(new Error(`the server ended: ${said}`)));
    server.stdout.on("data", (chunk) => {
      said += chunk;
      const port = /127\.0\.0\.1:(\d+)\/mcp/.exec(said)?.[1];
      const file = /the token is in (.*)\n/.exec(said)?.[1];
      if (port && file) resolve({ port: Number(port), token: readFileSync(file, "utf8").trim() });
    });
  });
}

/** The scenarios send no token, so it is added on the way; every other header passes as it is, Host and Origin too. */
async function bearing(port, token) {
  const proxy = createServer((incoming, outgoing) => {
    const own = proxy.address().port;
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` };
    for (const name of ["host", "origin"])
      if (headers[name]) headers[name] = headers[name].replace(`:${own}`, `:${port}`);
    const { method, url: path } = incoming;
    const onward = request({ host: "127.0.0.1", port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode, answer.headers).flushHeaders();
      answer.pipe(outgoing);
    });
    onward.on("error", () => outgoing.destroy());
    outgoing.on("close", () => onward.destroy());
    incoming.pipe(onward);
  });
  await new Promise((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  return proxy;
}

function run(file, argv, options) {
  return new Promise((resolve) => {
    const child = spawn(file, argv, { ...options, stdio: ["ignore", "pipe", "pipe"], timeout: 60_000 });
    let text = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (text += chunk));
    child.on("close", (status) => resolve({ status, text }));
  });
}
