/** Makes a replayable cassette from the journal of a run (CORE-57). */
import { join } from "node:path";
import { reportFromText } from "../agents/report.ts";
import type { Cassette, Reply, CassetteTurn } from "../agents/scripted/cassette.ts";
import { changedPaths, readFile } from "../git/objects/tree.ts";
import { readJson } from "../journal/payload-parts.ts";
import type { EventOf, Recorded } from "../log/run-event.ts";
import { AppError } from "../lib/errors.ts";
import { documentFiles, documentFolder } from "../run/documents/names.ts";
import type { OpenHost } from "../run/host.ts";
import { recorded } from "../run/list-runs.ts";
import { ordinalsOf } from "../dispatch/spec.ts";
import { foldView, emptyView } from "../log/run-view.ts";

type Step = CassetteTurn["does"][number];

/**
 * Makes one turn per dispatch: the files it wrote, its message, its decision, and its prompt, which a replay must match.
 * A reminded turn is one turn with all its messages.
 */
export async function recordCassette(host: OpenHost, run: string): Promise<Cassette> {
  const events = (await host.journal.read(run)).map(recorded);
  const view = foldView(emptyView(run), events);
  const { started } = view;
  if (!started)
    throw new AppError("run_unknown", `there is no run ${run}`, { hint: "`mettle status` lists the runs" });
  const roles: Record<string, CassetteTurn[]> = {};
  const nodes: Record<string, Record<string, CassetteTurn[]>> = {};
  const vendors: Record<string, string> = {};
  for (const { role, key } of ordinalsOf(view)) {
    const dispatch = view.dispatches[key];
    if (!dispatch) continue;
    vendors[role] = dispatch.vendor;
    const of = dispatch.node === undefined ? roles : (nodes[dispatch.node] ??= {});
    (of[role] ??= []).push(
      await turnOf(host, { dispatch, events, result: view.commands[key]?.result ?? null }),
    );
  }
  return {
    version: 1,
    kind: "cassette",
    about: `Recorded from the run ${run} of ${started.protocol}.`,
    task: started.task,
    conversations: "forks",
    vendors,
    roles,
    nodes,
  };
}

interface DispatchHistory {
  readonly dispatch: EventOf<"dispatch.started">;
  readonly events: readonly Recorded[];
  readonly result: { readonly outcome: string; readonly payload: string | null } | null;
}

async function turnOf(host: OpenHost, history: DispatchHistory): Promise<CassetteTurn> {
  // The scripted agent knows earlier conversations, so the message without them is enough.
  const { key, prompt, message = prompt } = history.dispatch;
  const own = history.events.filter((event) => "key" in event && event.key === key);
  const output = await textOf(host, own);
  const report = reportFromText(output) === null ? await reportOf(host, history) : undefined;
  const does = [...(await documentsOf(host, own)), ...(await workOf(host, own)), ...usageOf(own)];
  if (output.trim() !== "") does.push({ say: output });
  return {
    prompt: await host.payloads.text(message),
    expects: [],
    forbids: [],
    does: [...does, ...endOf(history)],
    nudges: [],
    repeat: false,
    ...(report === undefined ? {} : { report }),
  };
}

async function textOf(host: OpenHost, own: readonly Recorded[]): Promise<string> {
  const event = own.findLast((one) => one.type === "agent.said");
  return event === undefined ? "" : (await host.payloads.text(event.ref)).replace(/\n+$/u, "");
}

/** Documents are not in commits. */
async function documentsOf(host: OpenHost, own: readonly Recorded[]): Promise<readonly Step[]> {
  const written = own.filter((event) => event.type === "document.written");
  return Promise.all(
    written
      .filter(({ by }) => by === "agent")
      .map(async ({ name, ref }) => ({
        write: {
          path: join(documentFolder, documentFiles[name] ?? name),
          content: await host.payloads.text(ref),
        },
      })),
  );
}

/** The changes of the workspace, from the commit that the runtime made. */
async function workOf(host: OpenHost, own: readonly Recorded[]): Promise<readonly Step[]> {
  const made = own.findLast((event) => event.type === "commit.made");
  if (made === undefined) return [];
  const { repository } = host;
  const changes = await changedPaths(repository, { from: made.from ?? made.parent, to: made.commit });
  return Promise.all(
    changes.map(async ({ path, status }): Promise<Step> => {
      if (status === "deleted") return { delete: path };
      const content = await readFile(repository, { commit: made.commit, path });
      return { write: { path, content: content?.toString("utf8") ?? "" } };
    }),
  );
}

function usageOf(own: readonly Recorded[]): readonly Step[] {
  const used = own.findLast((event) => event.type === "agent.used");
  if (used === undefined || (used.context === null && used.tokens === null && used.costUsd === null))
    return [];
  return [
    {
      usage: {
        ...(used.context === null ? {} : { context: used.context }),
        ...(used.tokens === null ? {} : { inputTokens: used.tokens }),
        ...(used.costUsd === null ? {} : { costUsd: used.costUsd }),
      },
    },
  ];
}

/** The decision, if it came by the channel or in the stream and not in the text. */
async function reportOf(host: OpenHost, { result }: DispatchHistory): Promise<Reply["report"]> {
  if (result === null || result.payload === null || !isCode(result.outcome)) return undefined;
  const kept = (await readJson(host.payloads, result.payload)) as Record<string, unknown>;
  const { message, payload } = kept;
  return {
    status: typeof kept["status"] === "string" ? kept["status"] : result.outcome,
    message: typeof message === "string" ? message : "",
    ...(payload == null ? {} : { payload }),
  };
}

/** False for outcomes that the runtime sets. */
function isCode(outcome: string): boolean {
  return !/^(EX|TO|CF|inconclusive)\b/u.test(outcome);
}

function endOf({ result }: DispatchHistory): readonly Step[] {
  return result?.outcome === "TO" ? [{ hang: true }] : [];
}
