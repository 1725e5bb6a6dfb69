// Runs the official conformance scenarios of MCP against `mettle mcp --http`. Left out are scenarios that need fixture tools
// (test_image and others) or features that this server does not offer: prompts, logging, completion.
// node scripts/test-conformance.mjs [SCENARIO…]; installs its packages below the work folder, once.
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

const chosen = process.argv.slice(2);
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
    const { port, token } = await addressOf(server);
    const proxy = await addToken(port, token);
    const url = `http://127.0.0.1:${proxy.address().port}/mcp`;
    let failed = 0;
    for (const scenario of chosen.length > 0 ? chosen : scenarios) {
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

/** Installs the package. @returns the path of its file, or null after a reported failure */
async function installed(name, wanted, path) {
  const folder = join(work, "conformance", name.replaceAll("/", "-"), wanted);
  const file = join(folder, "node_modules", ...path);
  if (spawnSync("test", ["-f", file]).status === 0) return file;
  return (await installPackage(`${name}@${wanted}`, folder)) === 0 ? file : null;
}

function addressOf(server) {
  return new Promise((resolve, reject) => {
    let output = "";
    server.once("close", () => reject(new Error(`the server ended: ${output}`)));
    server.stdout.on("data", (chunk) => {
      output += chunk;
      const port = /127\.0\.0\.1:(\d+)\/mcp/.exec(output)?.[1];
      const file = /the token is in (.*)\n/.exec(output)?.[1];
      if (port && file) resolve({ port: Number(port), token: readFileSync(file, "utf8").trim() });
    });
  });
}

/** A proxy that adds the token, which the scenarios do not send; other headers, Host and Origin too, are passed on. */
async function addToken(port, token) {
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
