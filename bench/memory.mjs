// Measures the memory tools against @modelcontextprotocol/server-memory: over stdio by the SDK's client, in turns on the same
// content. Needs a build. `node bench/memory.mjs [SIZE…]` prints one JSON object.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const original = join(root, "node_modules/@modelcontextprotocol/server-memory/dist/index.js");
const goals = { add: 20, search: 5 };
const callsInATurn = 5;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const sizes = process.argv.slice(2).map(Number);
  console.log(
    JSON.stringify({ bench: "memory", version: 1, ...(await run(sizes.length > 0 ? sizes : undefined)) }),
  );
}

/** @returns {Promise<{rows: {size: number, what: string, mettleMs: number, originalMs: number, ratio: number, goal: number | null}[]}>} */
export async function run(sizes = [1_000, 10_000, 100_000]) {
  const rows = [];
  for (const size of sizes) rows.push(...(await atSize(size)));
  return { rows };
}

async function atSize(size) {
  const builds = join(root, ".mettle-build");
  mkdirSync(builds, { recursive: true });
  // On the disk of the repository: a temporary folder may be in memory, where a sync costs nothing.
  const folder = mkdtempSync(join(builds, "bench-memory-"));
  const env = { PATH: process.env.PATH, HOME: folder, METTLE_HOME: join(folder, "state") };
  const servers = {};
  try {
    const file = join(folder, "memory.jsonl");
    writeFileSync(file, content(size));
    const repository = join(folder, "repository");
    spawnSync("git", ["init", "--quiet", repository], { env });
    const bin = (name) => join(root, "dist/bin", name);
    const imported = spawnSync(process.execPath, [bin("mettle.js"), "memory", "import", file], {
      cwd: repository,
      env,
      encoding: "utf8",
    });
    // Otherwise the first durable writes would wait for pending writes of the preparation.
    spawnSync("sync");
    if (imported.status !== 0) throw new Error(`import: ${imported.stderr}`);
    servers.mettle = await connect([bin("mcp.js")], { cwd: repository, env });
    servers.original = await connect([original], { cwd: folder, env: { ...env, MEMORY_FILE_PATH: file } });
    const rows = [];
    for (const [what, calling] of Object.entries(calls(size))) {
      const { mettle, original: theirs } = await takeTurns(servers, calling);
      const ratio = theirs / mettle;
      rows.push({
        size,
        what,
        mettleMs: mettle,
        originalMs: theirs,
        ratio,
        goal: size === 10_000 ? (goals[what] ?? null) : null,
      });
      process.stderr.write(
        `bench: memory: ${size} ${what}: ${mettle.toFixed(2)} against ${theirs.toFixed(2)} ms\n`,
      );
    }
    return rows;
  } finally {
    for (const client of Object.values(servers)) await client.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Two observations for each entity and one relation for ten entities, like notes of a year. */
function content(size) {
  const lines = [];
  for (let n = 0; n < size; n++) {
    const observations = [
      `was seen in meeting ${n} about topic ${(n * 7919) % size}`,
      `prefers plan ${n % 97}`,
    ];
    lines.push({ type: "entity", name: `Person ${n}`, entityType: "person", observations });
  }
  for (let n = 0; n < size; n += 10)
    lines.push({
      type: "relation",
      from: `Person ${n}`,
      to: `Person ${(n * 31) % size}`,
      relationType: "knows",
    });
  return lines.map((line) => JSON.stringify(line)).join("\n");
}

function calls(size) {
  const slow = size >= 100_000;
  return {
    add: {
      rounds: slow ? 2 : 8,
      call: (n) => [
        "create_entities",
        {
          entities: [{ name: `New ${n}`, entityType: "person", observations: ["came late", `number ${n}`] }],
        },
      ],
    },
    observe: {
      rounds: slow ? 2 : 8,
      call: (n) => [
        "add_observations",
        { observations: [{ entityName: `Person ${n}`, contents: [`was seen again, ${n}`] }] },
      ],
    },
    search: { rounds: slow ? 2 : 8, call: (n) => ["search_nodes", { query: `ABOUT TOPIC ${100 + n}` }] },
    "search for two letters": { rounds: slow ? 2 : 8, call: () => ["search_nodes", { query: "zq" }] },
    open: {
      rounds: slow ? 2 : 8,
      call: (n) => ["open_nodes", { names: [`Person ${n}`, `Person ${n + 10}`] }],
    },
    read_graph: { rounds: slow ? 3 : 2, inATurn: slow ? 1 : callsInATurn, call: () => ["read_graph", {}] },
  };
}

async function connect(args, { cwd, env }) {
  const client = new Client({ name: "bench", version: "1" });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args,
    cwd,
    env,
    stderr: "ignore",
    // The whole graph of 100,000 entities is one message.
    maxBufferSize: 1 << 29,
  });
  await client.connect(transport);
  return client;
}

/** The candidates take turns of several calls each, so that the load of the machine and the wake-up of a process affect both. */
async function takeTurns(servers, { rounds, call, inATurn = callsInATurn }) {
  const times = { mettle: [], original: [] };
  for (let turn = -1; turn < rounds; turn++) {
    for (const [which, client] of Object.entries(servers)) {
      for (let nth = 0; nth < inATurn; nth++) {
        const [name, args] = call((turn + 1) * inATurn + nth);
        const began = performance.now();
        const result = await client.callTool({ name, arguments: args }, undefined, { timeout: 120_000 });
        const ms = performance.now() - began;
        if (result.isError) throw new Error(`${which}: ${JSON.stringify(result.content)}`);
        // The first turn warms the code.
        if (turn >= 0) times[which].push(ms);
      }
    }
  }
  return Object.fromEntries(Object.entries(times).map(([which, list]) => [which, median(list)]));
}

function median(list) {
  return list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];
}
