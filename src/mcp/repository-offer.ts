/** The tools of a person's session outside a dispatch: knowledge graph, referee and Envoy of the repository. */
import type { ToolGroup } from "../config/tool-groups.ts";
import { AppError } from "../lib/errors.ts";
import { callGraph } from "../memory/graph/call.ts";
import { newId } from "../lib/ids.ts";
import { systemClock } from "../lib/clock.ts";
import { lazy } from "../lib/lazy.ts";
import { currentProcess } from "../config/owner.ts";
import { hasStore, openHomeStore } from "../journal/home-store.ts";
import { openHost } from "../run/host.ts";
import { orchestrateLine } from "../families/orchestrate/newest-run.ts";
import { leaveSeat, takeSeat } from "../referee/client.ts";
import { refereeOf } from "../referee/referee.ts";
import { repositoryGraph } from "../memory/graph/repository-graph.ts";
import { refereeTools } from "./referee-tools.ts";
import { envoyTools } from "./envoy-tools.ts";
import { memoryTools } from "./memory-tools.ts";
import { emptyOffer, type OpenOffer, type SeatOffer, type ToolSet } from "./tool-set.ts";

export async function repositoryOffer(cwd: string, groups: readonly ToolGroup[]): Promise<OpenOffer> {
  try {
    const here = await repositoryGraph(cwd);
    const host = lazy(async () => {
      const opened = await openHost(cwd);
      return { ...opened, close: () => opened.journal.close() };
    });
    const referee = async () => refereeOf(await host.get(), currentProcess());
    const graph = lazy(() =>
      here.openWithDialogues(async (session, content) => (await referee()).observe(content, session)),
    );
    // Part of every answer, so it runs no git. Without a store there is no run, and none is created.
    const journal = lazy(async () => (await openHomeStore(here.home(), systemClock)).journal);
    const head = async () =>
      hasStore(here.home()) ? orchestrateLine({ journal: await journal.get() }) : null;
    const envoy = await envoyTools(cwd);
    const memory = memoryTools((call, args) => callGraph(graph.get, call, args));
    const chosen = (session: ToolSet): readonly ToolSet[] => {
      const sets: Readonly<Record<ToolGroup, ToolSet>> = { memory, session, envoy };
      return groups.map((group) => sets[group]);
    };
    const seat = (): SeatOffer => {
      const taken = lazy(async () => {
        const opened = await host.get();
        const { root } = opened.home;
        const client = await takeSeat(root, currentProcess(), newId());
        return { host: opened, client, close: () => leaveSeat(root, client) };
      });
      const own = async () => {
        const { host: opened, client } = await taken.get();
        return refereeOf(opened, client);
      };
      return { sets: chosen(refereeTools(own)), head, leave: () => taken.close() };
    };
    return {
      sets: chosen(refereeTools(referee)),
      head,
      seat,
      close: async () => {
        await Promise.all([graph.close(), host.close(), journal.close()]);
      },
    };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const help = error.code === "not_a_repository" ? "start it in a folder of the repository" : error.hint;
    return emptyOffer(`error[${error.code}]: ${error.message}; ${help}`);
  }
}
