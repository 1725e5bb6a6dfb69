import { chmod, readFile, writeFile } from "node:fs/promises";
import { execFileSync } from "node:child_process";
import { delimiter, join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { expect, test } from "vitest";
import { newFolder } from "../../test/support/folder.ts";
import { packageRoot } from "../config/package-root.ts";
import { inCi } from "../../test/verifies.ts";

const graphCalls = [
  "create_entities",
  "create_relations",
  "add_observations",
  "delete_entities",
  "delete_observations",
  "delete_relations",
  "read_graph",
  "search_nodes",
  "open_nodes",
];
const sessionTools = ["enter", "next", "report", "observe", "query", "status", "handoff", "start"];

test("--tools offers only the groups that it names (fault L6)", async () => {
  const folder = newFolder();
  execFileSync("git", ["init", "--quiet", folder]);
  const offered = async (...args: readonly string[]) => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [packageRoot("dist", "bin", "mettle.js"), "mcp", ...args],
      cwd: folder,
      env: { PATH: process.env["PATH"] ?? "", HOME: folder, METTLE_HOME: join(folder, "state") },
    });
    const client = new Client({ name: "test", version: "1" });
    await client.connect(transport);
    const { tools } = await client.listTools();
    await client.close();
    return tools.map(({ name }) => name);
  };

  const memory = await offered("--tools", "memory");
  expect(memory).toEqual(graphCalls);
  expect(await offered("--tools", "session, memory")).toEqual([...memory, ...sessionTools]);
  expect(await offered()).toEqual(expect.arrayContaining([...memory, ...sessionTools, "envoy_protocol"]));
});

inCi("a graph call runs no git, also in a repository without a commit", async () => {
  const folder = newFolder();
  const path = process.env["PATH"] ?? "";
  const gitCalls = join(folder, "asked");
  const git = join(folder, "git");
  await writeFile(gitCalls, "");
  await writeFile(git, `#!/bin/sh\necho asked >> ${gitCalls}\nPATH=${path} exec git "$@"\n`);
  await chmod(git, 0o755);
  execFileSync("git", ["init", "--quiet", join(folder, "repository")]);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [packageRoot("dist", "bin", "mcp.js")],
    cwd: join(folder, "repository"),
    env: { PATH: `${folder}${delimiter}${path}`, HOME: folder, METTLE_HOME: join(folder, "state") },
  });
  const client = new Client({ name: "test", version: "1" });
  try {
    await client.connect(transport);
    const call = (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args });
    const entities = [{ name: "a", entityType: "t", observations: ["o"] }];
    await call("create_entities", { entities });
    const before = await readFile(gitCalls, "utf8");
    for (let times = 0; times < 3; times++)
      expect((await call("open_nodes", { names: ["a"] })).isError).not.toBe(true);
    expect(before).not.toBe("");
    expect(await readFile(gitCalls, "utf8")).toBe(before);
  } finally {
    await client.close();
  }
});
