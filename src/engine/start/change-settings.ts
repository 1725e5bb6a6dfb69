/** Changes and journals the settings of one run, by `key=value` or by the agent of a role; other runs keep theirs (CORE-06). */
import { isObject } from "../../lib/json.ts";
import type { By } from "../../log/by.ts";
import { Duration } from "../../config/durations.ts";
import { loopLimitFault } from "../../config/loop-limits.ts";
import { Settings } from "../../config/settings.ts";
import { AppError } from "../../lib/errors.ts";
import { canonicalJson } from "../../lib/hash.ts";
import { issuesText } from "../../lib/plain-issues.ts";
import { withLimits } from "../../kernel/limits.ts";
import type { Protocol } from "../../protocol/machine.ts";
import type { OpenHost } from "../../run/host.ts";
import type { FamilyRun } from "../../family/family.ts";
import { assertRoles, preflight } from "./start-run.ts";

export interface SettingsChange {
  /** `limits.green=7` and the like. */
  readonly set: readonly string[];
  readonly agents: Readonly<Record<string, string>>;
  readonly by: By;
}

export async function changeSettings(
  host: OpenHost,
  { run, session, settings }: FamilyRun,
  { set, agents, by }: SettingsChange,
): Promise<void> {
  const what = [...set, ...Object.entries(agents).map(([role, agent]) => `agent ${role}=${agent}`)];
  if (what.length === 0) return;
  if (session.view.ended)
    throw new AppError("run_ended", `run ${run} has ended: ${session.view.ended.outcome}`, {
      hint: "only the settings of an active run can change; start a new run",
    });
  assertRoles(session.protocol, agents);
  assertLimits(session.protocol, set);
  const changed = changedSettings(settings, { set, agents });
  const protocol: Protocol = withLimits(session.protocol, changed.limits);
  await preflight(host, protocol, changed);
  await session.record([
    {
      type: "settings.changed",
      settingsRef: await host.payloads.put(canonicalJson(changed)),
      protocolRef: await host.payloads.put(JSON.stringify(protocol)),
      what: what.join(", "),
      by,
    },
  ]);
}

function changedSettings(
  current: Settings,
  { set, agents }: Pick<SettingsChange, "set" | "agents">,
): Settings {
  const { default: fallback, ...roles } = agents;
  const raw: Record<string, unknown> = structuredClone({
    ...current,
    agents: {
      ...current.agents,
      default: fallback ?? current.agents.default,
      roles: { ...current.agents.roles, ...roles },
    },
  });
  if (set.some((assignment) => /^store[.=]/u.test(assignment)))
    throw new AppError("config_invalid", "--set changes no store", {
      hint: "a run stays in the store in which it began",
    });
  for (const assignment of set) assign(raw, assignment);
  const parsed = Settings.safeParse(raw);
  if (parsed.success) return withinLoops(parsed.data);
  throw new AppError("config_invalid", `--set ${set.join(" ")}: ${issuesText(parsed.error)}`, {
    hint: "the settings are described in docs/settings.md",
  });
}

function withinLoops(settings: Settings): Settings {
  const faults = Object.entries(settings.limits).flatMap((limit) => loopLimitFault(...limit) ?? []);
  if (faults.length === 0) return settings;
  throw new AppError("bad_setting", faults.join("; "), { hint: "use a number from 1 to 50" });
}

/** Refuses limits of other protocols: the settings file may name them, here they would have no effect. */
function assertLimits({ name, machines }: Protocol, set: readonly string[]): void {
  const counters = [...new Set(Object.values(machines).flatMap((machine) => Object.keys(machine.counters)))];
  const limits = set.flatMap((assignment) => /^limits\.([^=.]+)=/u.exec(assignment)?.[1] ?? []);
  const wrong = limits.find((limit) => !counters.includes(limit));
  if (wrong !== undefined)
    throw new AppError("config_invalid", `${name} has no limit ${wrong}`, {
      hint: `its limits: ${counters.join(", ")}`,
    });
}

function assign(target: Record<string, unknown>, assignment: string): void {
  const match = /^([A-Za-z_][\w.:-]*)=(.*)$/su.exec(assignment);
  if (!match)
    throw new AppError("usage", `--set takes key=value, not ${assignment}`, {
      hint: "for example --set limits.green=7",
    });
  const path = (match[1] ?? "").split(".");
  const last = path.pop() ?? "";
  let place = target;
  for (const part of path) {
    const inner = place[part];
    const next: Record<string, unknown> = isObject(inner) ? inner : {};
    place[part] = next;
    place = next;
  }
  const name = `${path.join(".")}.${last}`;
  const isBudget = path[0] === "budget";
  const isDuration = name.startsWith("deadlines.") || (isBudget && last === "time");
  const duration = isDuration ? Duration.safeParse(match[2]) : null;
  if (duration?.success) place[`${last}Ms`] = duration.data;
  else place[isBudget && last === "usd" ? "costUsd" : last] = scalar(match[2] ?? "");
}

function scalar(text: string): string | number | boolean {
  if (text === "true" || text === "false") return text === "true";
  return /^-?\d+(\.\d+)?$/u.test(text) ? Number(text) : text;
}
