/** Whole runs of the graph: the demo's repository, spec and cassette, with changes for a test. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { packageRoot } from "../../src/config/package-root.ts";
import type { Recorded } from "../../src/log/run-event.ts";
import { timelineRenderer } from "../../src/views/run/timeline.ts";
import { Spec } from "../../src/protocol/graph-types/shared.ts";
import type { StartOptions } from "../../src/family/start-options.ts";
import {
  answerNone,
  createWorld,
  type Answer,
  type DriveResult,
  type TurnFile,
  type World,
} from "../orchestrate/world.ts";

export type NodeRoles = Record<string, TurnFile[]>;

export interface TreeCassette {
  version: number;
  kind: string;
  vendors?: Record<string, string>;
  roles?: NodeRoles;
  nodes: Record<string, NodeRoles>;
}

const demo = packageRoot("protocols/graph/demo");

export async function demoSpec(): Promise<Spec> {
  return Spec.parse(parse(await readFile(join(demo, "spec.yaml"), "utf8")));
}

/** A root with two children; only `receipt--parse` fails its first attempt. */
export async function demoCassette(): Promise<TreeCassette> {
  return parse(await readFile(join(demo, "honest.yaml"), "utf8")) as TreeCassette;
}

/** The cassette's node; throws a clear error if it has none. */
export function rolesOf({ nodes }: TreeCassette, node: string): NodeRoles {
  const roles = nodes[node];
  if (roles === undefined) throw new Error(`the cassette has no node ${node}`);
  return roles;
}

export async function demoFiles(): Promise<Record<string, string>> {
  const names = ["package.json", "README.md", "src/shop.js", "test/shop.test.js"];
  const texts = await Promise.all(names.map((name) => readFile(join(demo, "repository", name), "utf8")));
  return Object.fromEntries(names.map((name, index) => [name, texts[index] ?? ""]));
}

export interface GraphRunOptions {
  readonly cassette?: TreeCassette;
  readonly spec?: Spec;
  readonly answer?: Answer;
  readonly options?: Partial<StartOptions>;
  /** A test's action while the run is driven. */
  readonly meanwhile?: (run: string) => Promise<unknown>;
}

/** Starts a run of the graph in this world and drives it until it ends or waits. */
export async function runGraph(
  world: World,
  { cassette, spec, answer = answerNone, options = {}, meanwhile }: GraphRunOptions = {},
): Promise<DriveResult> {
  const played = (cassette ?? (await demoCassette())) as unknown as Parameters<World["start"]>[0];
  const run = await world.start(played, {
    task: "A receipt",
    protocol: "graph",
    spec: { spec: spec ?? (await demoSpec()), file: null },
    ...options,
  });
  const [driven] = await Promise.all([world.drive(run, answer), meanwhile?.(run)]);
  return driven;
}

export async function createTreeWorld(files?: Readonly<Record<string, string>>): Promise<World> {
  return createWorld(files ?? (await demoFiles()));
}

/** The run's log. */
export function logText(events: readonly Recorded[]): string {
  const tell = timelineRenderer();
  return events.flatMap((event) => tell(event) ?? []).join("\n");
}
