/**
 * A run of dptr whose agents are played by hand: each commit is made by the test, each gate is the real one, asked through
 * the run's own session. Agents take no part.
 */
import { expect } from "vitest";
import type { PlannedCycle } from "../../src/gates/payloads/plan.ts";
import type { Verdict } from "../../src/gates/verdict.ts";
import { changedPaths, treeOf } from "../../src/git/tree.ts";
import type { Command } from "../../src/kernel/command.ts";
import type { EventOf } from "../../src/kernel/run-event.ts";
import { canonicalJson } from "../../src/lib/hash.ts";
import { runCheck } from "../../src/runtime/checks/run-check.ts";
import type { RunContext } from "../../src/runtime/context.ts";
import { openRun } from "../../src/runtime/open-run.ts";
import { createWorld, golden, type World } from "../orchestrate/world.ts";

export type Files = Readonly<Record<string, string | null>>;
type Kind = Exclude<EventOf<"commit.made">["kind"], "other">;

export interface ByHand {
  readonly world: World;
  readonly run: string;
  readonly context: RunContext;
  /** The state of the oldest open command. */
  state(): string;
  /** Ends the oldest open command. */
  say(outcome: string, text?: string): Promise<void>;
  /** Commits on a parent as the runtime would, and says the code. */
  work(kind: Kind, code: string, files: Files, parent?: string): Promise<string>;
  /** Asks the gate that is open. */
  gate(): Promise<Verdict>;
  /** `pass required` or `fail required: …` for each check that did not pass. */
  remove(): Promise<void>;
}

export interface Setting {
  readonly files: Readonly<Record<string, string>>;
  readonly cycles: readonly PlannedCycle[];
}

/** Up to the first test of the first cycle. */
export async function byHand({ files, cycles }: Setting): Promise<ByHand> {
  const world = await createWorld({
    ...files,
    "package.json": '{ "type": "module", "scripts": { "test": "node --test" } }\n',
    ".gitignore": "node_modules\n",
  });
  const run = await world.start(await golden(), { protocol: "dptr" });
  const context = await openRun(world.host, { run });
  const { session, payloads, repository } = context;
  const { git, write } = world.repository;

  const open = (): Command => {
    const [command] = session.state.open.filter(({ type }) => type !== "spawn");
    if (!command) throw new Error("nothing is open");
    return command;
  };
  const hand: ByHand = {
    world,
    run,
    context,
    state: () => open().state,
    say: async (outcome, text) => {
      await settled(await session.settle(open().key, { outcome, ...(text === undefined ? {} : { text }) }));
    },
    work: async (kind, code, changes, parent = parentOf(context, kind)) => {
      await git("checkout", "--quiet", "--detach", parent);
      await write(changes);
      await git("add", "--all");
      await git("commit", "--quiet", "--allow-empty", "-m", kind);
      const commit = await git("rev-parse", "HEAD");
      await git("checkout", "--quiet", "main");
      const { key } = open();
      const paths = (await changedPaths(repository, { from: parent, to: commit })).map(({ path }) => path);
      const made = {
        type: "commit.made",
        key,
        kind,
        commit,
        parent,
        from: parent,
        tree: await treeOf(repository, commit),
        paths,
        ref: `refs/mettle/runs/${run}/${key}`,
      } as const;
      await settled(await session.settle(key, { outcome: code, facts: [made] }));
      return commit;
    },
    gate: async () => {
      const command = open();
      if (command.type !== "check") throw new Error(`${command.state} is no check`);
      const settlement = await runCheck(context, command, new AbortController().signal);
      if (settlement === null) throw new Error("the check was stopped");
      await settled(await session.settle(command.key, settlement));
      return JSON.parse(await payloads.text(settlement.payload ?? "")) as Verdict;
    },
    remove: () => world.remove(),
  };

  await settled(
    await session.settle(open().key, {
      outcome: "PC",
      items: [{ id: "words", hash: "1" }],
      list: "modules",
    }),
  );
  await hand.say("ACCEPT");
  const { key } = open();
  const ref = await payloads.put(canonicalJson({ cycles }));
  await settled(
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

/** As the runtime does it: RED on the commit before the cycle, GREEN on RED, refactorings on the branch. */
function parentOf({ session, started }: RunContext, kind: Kind): string {
  const { head, cyclesDone } = session.view;
  const base = cyclesDone.at(-1)?.commit ?? started.base;
  if (kind === "red") return base;
  return (kind === "green" ? head.red : head.branch) ?? base;
}

async function settled({ ignored }: { readonly ignored: string | null }): Promise<void> {
  expect(ignored).toBeNull();
}

/** The rows as `✅ name`, one string each. */
export function rowsOf({ rows = [] }: Verdict): readonly string[] {
  return rows.map(({ name, mark }) => `${mark} ${name}`);
}

/** Names of the checks that failed. */
export function failing({ checks }: Verdict): readonly string[] {
  return checks.filter(({ verdict }) => verdict === "fail").map(({ name }) => name);
}
