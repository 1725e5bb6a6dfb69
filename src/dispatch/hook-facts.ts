/**
 * The rules that an agent's hooks enforce, as one small object. A hook is a process per tool call: with these facts it
 * opens neither the store nor the protocol. A hook refuses early; the gates decide (CORE-98).
 */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { DispatchCommand } from "../kernel/command.ts";
import { factsFile, sessionsFolder, type HookFacts, type OpenFacts } from "../run/hook-files.ts";
import type { FamilyRun } from "../family/family.ts";
import { writesOf } from "./workspace/workspace.ts";

/** Deletes the hook files when a run that a person's session drove has ended. */
export async function dropHookFacts({ started, home }: FamilyRun): Promise<void> {
  if (started.front !== "referee") return;
  await rm(join(home.root, factsFile), { force: true });
  await rm(join(home.root, sessionsFolder), { recursive: true, force: true });
}

const checkedByHooks: ReadonlySet<string> = new Set(["none", "review", "documents", "tests", "source"]);

/** Other kinds of write rules, such as those of a graph's node, are enforced by the gates alone. */
export async function factsOfDispatch(
  context: FamilyRun,
  command: DispatchCommand,
  workspace: string,
): Promise<HookFacts> {
  const open = await openFacts(context, command);
  const gone = new Set(context.session.view.withheld[command.key]?.gone);
  const facts = factsOfRun(context, open);
  return {
    ...facts,
    frozen: facts.frozen.filter((path) => !gone.has(path)),
    checkout: workspace,
    mode: command.mode ?? "",
    sid: command.session ?? null,
    round: command.round,
    phase: command.phase ?? null,
    open: checkedByHooks.has(open.writes) ? open : null,
  };
}

/** The facts that all hooks of the run share. */
export function factsOfRun(
  { repository, session, settings, started, run }: FamilyRun,
  open: OpenFacts | null,
) {
  return {
    version: 1,
    gitDir: repository.gitDir,
    run,
    open,
    paths: settings.paths,
    frozen: open?.writes === "source" ? Object.keys(session.view.frozen?.files ?? {}) : [],
    protection: started.protection ?? [],
  } as const;
}

export async function openFacts(context: FamilyRun, command: DispatchCommand): Promise<OpenFacts> {
  const { protocol, session, family } = context;
  const role = protocol.roles[command.role];
  return {
    line: session.view.commands[command.key]?.line ?? "",
    agent: command.template ?? role?.template ?? command.role,
    label: role?.label ?? command.role,
    writes: writesOf(context, command),
    declared: await family.plannedTests(context, command),
  };
}
