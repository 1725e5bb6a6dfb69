// A PostgreSQL of its own for a benchmark, with fsync, on the disk of the repository, and the code that is measured: the sources, without a build.
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const sources = `
  export { claimHost, hasPostgres, startPostgres } from "./test/support/postgres.ts";
  export { removeAll } from "./test/support/folder.ts";
  export { openPostgres } from "./src/journal/postgres/store.ts";
  export { postgresJournal } from "./src/journal/postgres/journal.ts";
  export { openJournal } from "./src/journal/open.ts";
  export { checksum } from "./src/journal/checksum.ts";
  export { markShared } from "./src/config/store-place.ts";
  export { systemClock } from "./src/lib/clock.ts";
  export { init, step } from "./src/kernel/step.ts";
  export { loadProtocol } from "./src/protocol/load.ts";
`;

/** @param more lines of exports @param settings of the server, beside fsync @returns what `work` returns; null on a machine without PostgreSQL */
export async function withPostgres(work, more = "", settings = {}) {
  const builds = join(root, ".mettle-build");
  mkdirSync(builds, { recursive: true });
  const folder = mkdtempSync(join(builds, "bench-"));
  chmodSync(folder, 0o755); // the server's user is another one than root
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  try {
    const outfile = join(folder, "sources.mjs");
    await build({
      stdin: { contents: sources + more, resolveDir: root, loader: "ts" },
      bundle: true,
      platform: "node",
      format: "esm",
      packages: "external",
      outfile,
      logLevel: "error",
    });
    const mettle = await import(pathToFileURL(outfile).href);
    if (!mettle.hasPostgres) return null;
    try {
      return await work({ mettle, server: await mettle.startPostgres({ fsync: "on", ...settings }), folder });
    } finally {
      await mettle.removeAll();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
}

/** Passes connections on to a port of this machine, and each byte `delayMs` later, in each direction. */
export async function slowNetwork(port, delayMs) {
  const proxy = createServer((client) => {
    const server = connect(port, "127.0.0.1");
    for (const [from, to] of [
      [client, server],
      [server, client],
    ]) {
      from.setNoDelay(true);
      from.on("data", (bytes) => setTimeout(() => to.write(bytes), delayMs));
      from.on("error", () => undefined);
      from.once("close", () => setTimeout(() => to.destroy(), delayMs));
    }
  });
  await new Promise((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  return { port: proxy.address().port, close: () => proxy.close() };
}
