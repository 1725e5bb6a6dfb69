/** The required final state of a tree, however often its driver was killed. */
import { expect } from "vitest";
import type { RebaseCommand } from "../../src/kernel/command.ts";
import type { NodeEntry } from "../../src/log/nodes.ts";
import { eventsOf, type DriveResult, type World } from "../orchestrate/world.ts";

/** The order of children may differ; their results may not. */
export interface EndState {
  readonly outcome: string;
  readonly resultTree: string;
  /** The commits on the root's branch, and for each node how often its branch has each child. */
  readonly subjects: readonly string[];
  readonly holds: Readonly<Record<string, readonly string[]>>;
  readonly began: readonly string[];
  readonly exits: readonly string[];
  readonly merged: readonly string[];
  /** How many siblings got a merge event, and how often one got the same event again. */
  readonly broadcasts: readonly [told: number, again: number];
  readonly attempts: unknown;
}

export async function endState(world: World, driven: DriveResult): Promise<EndState> {
  const { run, context, events } = driven;
  const { git } = world.repository;
  const branch = (name: string) => `refs/heads/mettle/${run}/${name}`;
  const { nodes } = context.session.view;
  const [root = ""] = Object.keys(nodes);
  const subjectsOf = async (node: string): Promise<readonly string[]> =>
    (await git("log", "--format=%s", `main..${branch(node)}`)).split("\n").toSorted();
  const holds = Object.entries(nodes).map(async ([id, { merged }]) => {
    const subjects = await subjectsOf(id);
    return [id, subjects.filter((subject) => merged.some((one) => subject === squash(one)))] as const;
  });
  const broadcasts = mergeEvents(driven);
  const attempts = Object.entries(context.session.state.frames).map(
    ([id, { counters }]) => [id, counters] as const,
  );
  return {
    outcome: context.session.view.ended?.outcome ?? "none",
    resultTree: await git("rev-parse", `${branch("result")}^{tree}`),
    subjects: await subjectsOf(root),
    holds: sorted(await Promise.all(holds)),
    began: eventsOf(events, "node.began")
      .map(({ node }) => node)
      .toSorted(),
    exits: eventsOf(events, "node.accepted")
      .filter(({ exit }) => !exit.startsWith("Rebase"))
      .map(({ node, exit }) => `${node} ${exit}`)
      .toSorted(),
    merged: eventsOf(events, "node.merged")
      .map(({ child }) => child)
      .toSorted(),
    broadcasts: [broadcasts.length, broadcasts.length - new Set(broadcasts).size],
    attempts: sorted(attempts),
  };
}

function sorted<Value>(pairs: readonly (readonly [string, Value])[]): Readonly<Record<string, Value>> {
  return Object.fromEntries(pairs.toSorted(([a], [b]) => a.localeCompare(b)));
}

function squash({ child }: NodeEntry["merged"][number]): string {
  return `feat(${child}): implement`;
}

/** No key was committed, issued, answered or merged twice. */
export function expectOnce({ events }: DriveResult, about: string): void {
  for (const type of ["commit.made", "command.issued", "result", "node.merged"] as const) {
    const keys = eventsOf(events, type).map((event) => ("key" in event ? event.key : event.child));
    expect(new Set(keys).size, `${type} of ${about}`).toBe(keys.length);
  }
}

/** Each sibling with the merge event that it got; what a node passes on to its children depends on the order. */
function mergeEvents({ events }: DriveResult): readonly string[] {
  const above = (path: string) => path.slice(0, path.lastIndexOf("/"));
  return eventsOf(events, "command.issued").flatMap(({ command }) => {
    const { type, frame, causes } = command as RebaseCommand;
    if (type !== "rebase") return [];
    return causes.flatMap(({ key }) => (above(above(key)) === above(frame) ? [`${key} to ${frame}`] : []));
  });
}
