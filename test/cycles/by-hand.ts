/**
 * A run of dptr whose agents are played by hand: the test makes each commit, and calls each real gate through the run's
 * own session. No agent runs.
 */
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import type { PlannedCycle } from "../../src/gates/payloads/plan.ts";
import type { Verdict } from "../../src/gates/verdict.ts";
import { changedPaths, treeOf } from "../../src/git/objects/tree.ts";
import type { Command } from "../../src/kernel/command.ts";
import type { EventOf } from "../../src/log/run-event.ts";
import { canonicalJson } from "../../src/lib/hash.ts";
import { cycleWork } from "../../src/families/cycles/work.ts";
import { runCheck } from "../../src/engine/checks/run-check.ts";
import type { FamilyRun } from "../../src/family/family.ts";
import type { Settlement } from "../../src/run/settlement.ts";
import { openRun } from "../../src/families/open-run.ts";
import { createWorld, golden, type World } from "../orchestrate/world.ts";

/** Text, null to delete the file, or the target of a link. */
export type Files = Readonly<Record<string, string | null | { readonly link: string }>>;
type Kind = Exclude<EventOf<"commit.made">["kind"], "other" | "scaffold" | "rebased">;

export interface ByHand {
  readonly world: World;
  readonly run: string;
  readonly context: FamilyRun;
  /** The state of the oldest open command. */
  state(): string;
  /** Ends the oldest open command. */
  say(outcome: string, text?: string): Promise<void>;
  /** Commits on a parent like the runtime, and reports the code. */
  work(kind: Kind, code: string, files: Files, parent?: string): Promise<string>;
  /** Runs the open gate on a commit and leaves it open. */
  judge(kind: Kind, files: Files, parent?: string): Promise<Verdict>;
  /** Runs the open gate and applies its answer. */
  gate(): Promise<Verdict>;
}

export interface Setting {
  /** Default dptr. */
  readonly protocol?: string;
  readonly files: Readonly<Record<string, string>>;
  readonly cycles: readonly PlannedCycle[];
  /** Installs dependencies in the repository before the run starts. */
  readonly install?: (repository: string) => Promise<void>;
}

/** Up to the first test of the first cycle. */
export async function byHand({ files, cycles, install, protocol = "dptr" }: Setting): Promise<ByHand> {
  const world = await createWorld({
    ...files,
    "package.json": '{ "type": "module", "scripts": { "test": "node --test" } }\n',
    ".gitignore": "node_modules\n",
  });
  await install?.(world.repository.dir);
  const run = await world.start(await golden(), { protocol });
  const context = await openRun(world.host, { run });
  const { session, payloads, repository } = context;
  const { git, write } = world.repository;

  const open = (): Command => {
    const [command] = session.state.open.filter(({ type }) => type !== "spawn");
    if (!command) throw new Error("nothing is open");
    return command;
  };
  const commit = async (kind: Kind, changes: Files, parent = parentOf(context, kind)) => {
    await git("checkout", "--quiet", "--detach", parent);
    for (const [path, content] of Object.entries(changes)) {
      if (content === null || typeof content === "string") await write({ [path]: content });
      else {
        await write({ [path]: null });
        await symlink(content.link, join(world.repository.dir, path));
      }
    }
    await git("add", "--all");
    await git("commit", "--quiet", "--allow-empty", "-m", kind);
    const id = await git("rev-parse", "HEAD");
    await git("checkout", "--quiet", "main");
    const { key } = open();
    const paths = (await changedPaths(repository, { from: parent, to: id })).map(({ path }) => path);
    const tree = await treeOf(repository, id);
    const ref = `refs/mettle/runs/${run}/${key}`;
    return { type: "commit.made", key, kind, commit: id, parent, from: parent, tree, paths, ref } as const;
  };
  const asked = async () => {
    const command = open();
    if (command.type !== "check") throw new Error(`${command.state} is no check`);
    const settlement = await runCheck(context, command, new AbortController().signal);
    if (settlement === null) throw new Error("the check was stopped");
    return settlement;
  };
  const verdictOf = async ({ payload = "" }: Settlement) =>
    JSON.parse(await payloads.text(payload)) as Verdict;
  const hand: ByHand = {
    world,
    run,
    context,
    state: () => open().state,
    say: async (outcome, text) => {
      await expectSettled(
        await session.settle(open().key, { outcome, ...(text === undefined ? {} : { text }) }),
      );
    },
    work: async (kind, code, changes, parent) => {
      const made = await commit(kind, changes, parent);
      await expectSettled(await session.settle(made.key, { outcome: code, facts: [made] }));
      return made.commit;
    },
    judge: async (kind, changes, parent) => {
      await session.record([await commit(kind, changes, parent)]);
      return verdictOf(await asked());
    },
    gate: async () => {
      const settlement = await asked();
      await expectSettled(await session.settle(open().key, settlement));
      return verdictOf(settlement);
    },
  };

  await expectSettled(
    await session.settle(open().key, {
      outcome: "PC",
      items: [{ id: "words", hash: "1" }],
      list: "modules",
    }),
  );
  while (hand.state() !== "plan") await hand.say("ACCEPT");
  const { key } = open();
  const ref = await payloads.put(canonicalJson({ cycles }));
  await expectSettled(
    await session.settle(key, {
      outcome: "PC",
      facts: [{ type: "document.written", name: "plan", ref, by: "agent", key }],
      items: cycles.map((_cycle, at) => ({ id: `C${at + 1}`, hash: String(at) })),
      list: "cycles",
    }),
  );
  await hand.say("PA");
  return hand;
}

const phases = { red: "ℜ", green: "ℜᴳ", test_refactor: "ℜᶠᵗ", impl_refactor: "ℜᶠⁱ" } as const;

/** The commit from which the runtime starts the role of this kind. */
function parentOf(context: FamilyRun, kind: Kind): string {
  const { commands, order } = context.session.view;
  const entry = order
    .flatMap((key) => commands[key] ?? [])
    .findLast(({ command }) => command.phase === phases[kind]);
  const command = entry?.command;
  const from = command?.type === "dispatch" ? cycleWork(context, command)?.from : undefined;
  if (from === undefined) throw new Error(`nobody was asked for ${kind}`);
  return from;
}

async function expectSettled({ ignored }: { readonly ignored: string | null }): Promise<void> {
  expect(ignored).toBeNull();
}

/** The rows as `✅ name`. */
export function rowsOf({ rows = [] }: Verdict): readonly string[] {
  return rows.map(({ name, mark }) => `${mark} ${name}`);
}

/** Names of the checks that failed. */
export function failing({ checks }: Verdict): readonly string[] {
  return checks.filter(({ verdict }) => verdict === "fail").map(({ name }) => name);
}
