import { withHost, type OpenHost } from "../../run/host.ts";
import type { RunContext } from "../../run/context.ts";
import { laterCommit } from "../../run/later-commit.ts";
import { foldRun, recorded } from "../../run/list-runs.ts";
import { findRun } from "../../run/find-run.ts";
import type { RunView } from "../../log/run-view.ts";
import { timelineRenderer } from "../../views/run/timeline.ts";
import { openAsks } from "../../log/open-asks.ts";
import { runStatus, statusText, type RunStatus } from "../../views/run/status.ts";
import type { Io, CommandHandler } from "../command.ts";
import { outputOf } from "../background/output-file.ts";
import { exitOfEnd, exitOfWaiting } from "../exit.ts";

/** Milliseconds between two reads of the journal. */
const intervalMs = 300;

export const run: CommandHandler = async (io, given) => {
  return withHost(io.cwd, async (host) => {
    const run = await findRun(host, given.text("run"));
    const tell = timelineRenderer();
    const trees = treesOf(host, run);
    const live = liveTree(io);
    const output = outputOf(host.home, await foldRun(host.journal, run));
    if (output !== null) io.print(`the output of its process: ${output}`);
    let seen = 0;
    let wasLeft = false;
    for (;;) {
      const events = (await host.journal.read(run, seen)).map(recorded);
      const lines = events.map(tell).filter((line) => line !== null);
      seen = events.at(-1)?.seq ?? seen;
      const view = await foldRun(host.journal, run);
      const owner = (await host.journal.owner(run))?.pid ?? null;
      const isDrawn = io.live && Object.keys(view.nodes).length > 0;
      if (!isDrawn) lines.forEach(io.print);
      // Between two commands a run has no driver for a moment, so it counts as left at the second read.
      // The workers of a shared store may take their time.
      const isOpen = openAsks(view).length > 0;
      const isLeft = owner === null && (isOpen || (wasLeft && view.started?.workers === undefined));
      if (view.ended || isLeft || io.signal.aborted) {
        if (isDrawn) live.clear();
        const later = await laterCommit(host.repository, view);
        const status = await trees.fill(runStatus(view, { owner, later }));
        return { exit: exitOf(view, io.signal), json: { ...status }, text: statusText(status) };
      }
      wasLeft = owner === null;
      if (isDrawn) await draw(io, live, { status: await trees.fill(runStatus(view, { owner })), view });
      await host.clock.sleep(intervalMs, io.signal);
    }
  });
};

/** Opens the run of a graph once, and refreshes it at each call. */
function treesOf(host: OpenHost, run: string) {
  let context: RunContext | null = null;
  return {
    async fill(status: RunStatus): Promise<RunStatus> {
      if (status.nodes === null) return status;
      const { openRun } = await import("../../families/open-run.ts");
      const { treeStatus } = await import("../../families/graph/view/tree-status.ts");
      context ??= await openRun(host, { run });
      await context.session.refresh();
      return { ...status, ...(await treeStatus(context, status.owner)) };
    },
  };
}

interface WatchedRun {
  readonly status: RunStatus;
  readonly view: RunView;
}

async function draw(io: Io, live: LiveTree, { status, view }: WatchedRun): Promise<void> {
  const { nodes, slots, spec_changed, run, task } = status;
  if (nodes === null || slots === null) return;
  const { treeScreen } = await import("../../views/tree/tree-watch.ts");
  const watched = {
    run,
    task,
    status: status.status,
    startedAt: view.started?.at ?? "",
    nowMs: Date.now(),
  };
  live.draw(treeScreen({ nodes, slots, spec_changed }, watched, io));
}

/** The exit code of the process that drove the run; 130 if it was interrupted. */
function exitOf(view: RunView, { aborted }: AbortSignal): number {
  if (view.ended) return exitOfEnd(view.ended.outcome);
  const asks = openAsks(view);
  return aborted || asks.length === 0 ? 130 : exitOfWaiting(view, asks);
}

/** The tree of a graph, redrawn in place at a terminal. */
interface LiveTree {
  draw(lines: readonly string[]): void;
  /** Removes the tree from the screen. */
  clear(): void;
}

const escape = "\u001b";

function liveTree(io: Pick<Io, "draw">): LiveTree {
  let shown: readonly string[] = [];
  const wipe = (): string => (shown.length === 0 ? "" : `${escape}[${shown.length}A\r${escape}[J`);
  return {
    draw(lines) {
      if (lines.join("\n") === shown.join("\n")) return;
      io.draw(`${wipe()}${lines.map((line) => `${line}\n`).join("")}`);
      shown = lines;
    },
    clear() {
      io.draw(wipe());
      shown = [];
    },
  };
}
