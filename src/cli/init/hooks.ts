/**
 * Adds Mettle's hooks to a settings file of Claude Code, and removes them. Text in, text out; everything else in the file stays
 * unchanged.
 */
import * as z from "zod";
import { printJson, readJsonFile } from "./json-file.ts";

export const hookCommand = "mettle hook";

/** Event -> the pattern of its tools; null if the event has no tools. */
const events: Readonly<Record<string, string | null>> = {
  SessionStart: null,
  UserPromptSubmit: null,
  PreToolUse:
    "^(Agent|AskUserQuestion|Bash|Edit|ExitPlanMode|MultiEdit|NotebookEdit|Task|Write|mcp__.*mettle.*__(enter|next|start))$",
  PostToolUse: "AskUserQuestion|ExitPlanMode|mcp__.*mettle.*__(enter|next|report|handoff)",
  PreCompact: null,
  Stop: null,
};

/** Events at which Claude Code calls Mettle. */
export const hookEvents: readonly string[] = Object.keys(events);

const Entry = z.looseObject({ hooks: z.array(z.looseObject({ command: z.unknown().optional() })) });
const Settings = z.looseObject({ hooks: z.record(z.string(), z.array(Entry)).optional() });
type Entry = z.infer<typeof Entry>;

/** The text with the hooks; null if it already has all of them. `text` is null if there is no file. */
export function withHooks(text: string | null, file: string): string | null {
  const settings = text === null ? {} : parse(text, file);
  const missing = Object.keys(events).filter((event) => !(settings.hooks?.[event] ?? []).some(isOurs));
  if (missing.length === 0) return null;
  const added = missing.map(
    (event) => [event, [...(settings.hooks?.[event] ?? []), entryFor(event)]] as const,
  );
  return printJson({ ...settings, hooks: { ...settings.hooks, ...Object.fromEntries(added) } }, text);
}

/** The text without the hooks; null if it has none, empty if nothing else is left. */
export function withoutHooks(text: string, file: string): string | null {
  const settings = parse(text, file);
  const hooks = Object.entries(settings.hooks ?? {});
  if (!hooks.some(([, entries]) => entries.some(isOurs))) return null;
  const left = hooks
    .map(([event, entries]) => [event, entries.flatMap(withoutOurs)] as const)
    .filter(([, entries]) => entries.length > 0);
  const { hooks: _, ...others } = settings;
  const rest = left.length === 0 ? others : { ...settings, hooks: Object.fromEntries(left) };
  return Object.keys(rest).length === 0 ? "" : printJson(rest, text);
}

/** The events that call Mettle in a settings file, and whether the file disables all hooks. */
export function readHooks(
  text: string,
  file: string,
): { readonly calling: readonly string[]; readonly off: boolean } {
  const settings = parse(text, file);
  const calling = hookEvents.filter((event) => (settings.hooks?.[event] ?? []).some(isOurs));
  return { calling, off: settings["disableAllHooks"] === true };
}

/** The `hooks` of a file that has only these. */
export function ownHooks(): Readonly<Record<string, readonly Entry[]>> {
  return Object.fromEntries(Object.keys(events).map((event) => [event, [entryFor(event)]]));
}

function entryFor(event: string): Entry {
  const matcher = events[event] ?? null;
  return { ...(matcher === null ? {} : { matcher }), hooks: [{ type: "command", command: hookCommand }] };
}

function isOurs(entry: Entry): boolean {
  return entry.hooks.some(({ command }) => command === hookCommand);
}

function withoutOurs(entry: Entry): readonly Entry[] {
  if (!isOurs(entry)) return [entry];
  const hooks = entry.hooks.filter(({ command }) => command !== hookCommand);
  return hooks.length === 0 ? [] : [{ ...entry, hooks }];
}

function parse(text: string, file: string): z.infer<typeof Settings> {
  return readJsonFile(Settings, text, { file, kind: "a settings file with hooks" });
}
