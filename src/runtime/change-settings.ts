/** A person changes a setting of one run: `key=value`, or who plays a role. Journaled as theirs; other runs keep theirs (CORE-06). */
import { Settings } from "../config/settings.ts";
import { AppError } from "../lib/errors.ts";
import { canonicalJson } from "../lib/hash.ts";
import { withLimits } from "../kernel/limits.ts";
import type { Protocol } from "../protocol/machine.ts";
import type { By } from "./asks/answer.ts";
import type { OpenHost } from "./host.ts";
import { openRun } from "./open-run.ts";

export interface SettingsChange {
  readonly run: string;
  /** `limits.green=7` and the like. */
  readonly set: readonly string[];
  readonly agents: Readonly<Record<string, string>>;
  readonly by: By;
}

export async function changeSettings(
  host: OpenHost,
  { run, set, agents, by }: SettingsChange,
): Promise<void> {
  const what = [...set, ...Object.entries(agents).map(([role, agent]) => `agent ${role}=${agent}`)];
  if (what.length === 0) return;
  const context = await openRun(host, { run });
  const { default: fallback, ...roles } = agents;
  const current = context.settings;
  const raw: Record<string, unknown> = structuredClone({
    ...current,
    agents: { default: fallback ?? current.agents.default, roles: { ...current.agents.roles, ...roles } },
  });
  for (const assignment of set) assign(raw, assignment);
  const parsed = Settings.safeParse(raw);
  if (!parsed.success)
    throw new AppError(
      "config_invalid",
      `--set ${set.join(" ")}: ${parsed.error.issues.map(({ message }) => message).join("; ")}`,
      {
        hint: "the settings are described in docs/settings.md",
      },
    );
  const protocol: Protocol = withLimits(context.session.protocol, parsed.data.limits);
  await context.session.record([
    {
      type: "settings.changed",
      settingsRef: await host.payloads.put(canonicalJson(parsed.data)),
      protocolRef: await host.payloads.put(JSON.stringify(protocol)),
      what: what.join(", "),
      by,
    },
  ]);
}

function assign(target: Record<string, unknown>, assignment: string): void {
  const match = /^([A-Za-z_][\w.]*)=(.*)$/su.exec(assignment);
  if (!match)
    throw new AppError("usage", `--set takes key=value, not ${assignment}`, {
      hint: "for example --set limits.green=7",
    });
  const path = (match[1] ?? "").split(".");
  const last = path.pop() ?? "";
  let place = target;
  for (const part of path) {
    const inner = place[part];
    const next: Record<string, unknown> = isRecord(inner) ? inner : {};
    place[part] = next;
    place = next;
  }
  place[last] = scalar(match[2] ?? "");
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

function scalar(text: string): string | number | boolean {
  if (text === "true" || text === "false") return text === "true";
  return /^-?\d+(\.\d+)?$/u.test(text) ? Number(text) : text;
}
