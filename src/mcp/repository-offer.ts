/** What a session of a person is offered outside a dispatch: the repository's knowledge graph, opened directly. */
import { AppError } from "../lib/errors.ts";
import { callGraph } from "../memory/graph/call.ts";
import { lazily } from "../memory/graph/lazily.ts";
import { graphHere } from "../runtime/graph-here.ts";
import { memoryTools } from "./memory-tools.ts";
import { nothing, type OpenOffer } from "./tool-set.ts";

export async function repositoryOffer(cwd: string): Promise<OpenOffer> {
  try {
    const here = await graphHere(cwd);
    const graph = lazily(here.open);
    return {
      sets: [
        memoryTools((call, args) => callGraph(graph.get, call, args)),
        // Further tools of a session stand here: enter, next, report, observe, query.
      ],
      close: graph.close,
    };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return nothing(`error[${error.code}]: ${error.message}`);
  }
}
