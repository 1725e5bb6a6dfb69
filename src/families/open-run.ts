/** Opens a run: its session, and everything that was frozen when it started. */
import { AppError } from "../lib/errors.ts";
import type { Settings } from "../config/settings.ts";
import type { Recorded } from "../log/run-event.ts";
import type { Protocol } from "../protocol/machine.ts";
import { makeAgents } from "../dispatch/agents/agents.ts";
import type { Progress } from "../run/context.ts";
import { shippedFamilies } from "./families.ts";
import type { Families, FamilyRun } from "../family/family.ts";
import type { OpenHost } from "../run/host.ts";
import { takeMissingRefs } from "../run/run-remote.ts";
import { withRunSecrets } from "../run/run-secrets.ts";
import { Session } from "../run/session.ts";

export interface OpenRun {
  readonly run: string;
  /** The run's events as far as the caller has read them; none of them is read again. */
  readonly events?: readonly Recorded[];
  readonly progress?: (event: Progress) => void;
}

export async function openRun(
  host: OpenHost,
  { run, events = [], progress = () => undefined }: OpenRun,
  families: Families = shippedFamilies,
): Promise<FamilyRun> {
  const { journal, payloads, key, trusted, repository, home, clock, permits } = host;
  // A verified address guarantees the type that it was stored with.
  const json = async <T>(ref: string): Promise<T> => JSON.parse(await payloads.text(ref)) as T;
  const session = await Session.open(
    run,
    { journal, payloads, key, trusted, clock, permits, familyOf: families.of },
    (ref) => json<Protocol>(ref),
    events,
  );
  const { started, settingsRef } = session.view;
  if (!started)
    throw new AppError("run_unknown", `there is no run ${run}`, { hint: "`mettle status` lists the runs" });
  const settings = await json<Settings>(settingsRef);
  const here = await withRunSecrets(host.host, settings, repository);
  const agentFor = makeAgents({ settings, cwd: repository.root, host: here, home: host.home.root });
  session.listen((events) => {
    for (const event of events) progress({ type: "event", event });
  });
  await takeMissingRefs({ run, started, repository, host: here }, session.view);
  return {
    run,
    session,
    protocol: session.protocol,
    family: families.of(session.protocol),
    families,
    started,
    repository,
    home,
    payloads,
    settings,
    templates: new Map(Object.entries(await json<Record<string, string>>(started.templatesRef))),
    payloadKinds: families.payloadKinds,
    agentOf: (command) => agentFor(command.role),
    clock,
    news: () => host.newsOf(run),
    host: here,
    progress,
  };
}
