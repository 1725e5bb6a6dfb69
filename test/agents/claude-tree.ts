/** Runs the demo's graph by `mettle run`, with the real Claude Code and a scripted model. */
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { stringify } from "yaml";
import type { Recorded } from "../../src/log/run-event.ts";
import { recorded } from "../../src/run/list-runs.ts";
import { createTreeWorld, demoSpec, type TreeCassette } from "../graph/world.ts";
import type { CliResult, World } from "../orchestrate/world.ts";
import { treeModel } from "../support/cassette-model.ts";
import { startModelServer, type ModelServer } from "../support/model-server.ts";

export interface ClaudeTree {
  readonly world: World;
  readonly server: ModelServer;
  readonly ended: CliResult;
  readonly events: readonly Recorded[];
}

export interface Planted {
  /** Path of Claude Code. */
  readonly file: string;
  readonly cassette: TreeCassette;
  /** `ROLE=AGENT` for roles of other agents. */
  readonly agents?: readonly string[];
  /** Further environment variables. */
  readonly env?: (server: ModelServer) => Readonly<Record<string, string>>;
}

export async function growByClaude({
  file,
  cassette,
  agents = [],
  env = () => ({}),
}: Planted): Promise<ClaudeTree> {
  const world = await createTreeWorld();
  const server = await startModelServer();
  server.scriptWith(treeModel(cassette));
  const spec = join(world.home, "spec.yaml");
  await writeFile(spec, stringify(await demoSpec()));
  const played = ["default=claude", ...agents].flatMap((agent) => ["--agent", agent]);
  const ended = await world.cli(["run", "--protocol", "graph", "--spec", spec, ...played, "--json"], {
    timeoutMs: 280_000,
    env: {
      PATH: `${dirname(file)}:${process.env["PATH"] ?? ""}`,
      ANTHROPIC_BASE_URL: server.url,
      ANTHROPIC_API_KEY: "dummy-key-of-the-test",
      ...env(server),
    },
  });
  const [run = ""] = await world.host.journal.runs();
  const events = (await world.host.journal.read(run)).map(recorded);
  return {
    world,
    server,
    ended,
    events,
  };
}
