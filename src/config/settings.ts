import { z } from "zod";
import { refuseNewer } from "../lib/newer.ts";
import { parseYaml, type YamlDocument } from "../lib/yaml/yaml-document.ts";
import { readOwnFile } from "./own-file.ts";
import { toBadSetting, refuseLoopLimits, refuseUnknownLimits } from "./loop-limits.ts";
import { refuseUnknownRoles, type RolesOf } from "./role-names.ts";
import { Settings, SettingsFile } from "./settings-schema.ts";

export { Settings, type RolesOf };

/** The settings file in the root of a repository; a protected file. */
export const settingsFile = "mettle.yaml";

/** The settings of a repository: its `mettle.yaml`, or the defaults when there is none. */
export async function loadSettings(root: string): Promise<Settings> {
  const text = await readSettings(root);
  return text === null ? defaultSettings() : parseSettings(text);
}

/** Refuses a limit in the file that is the name of nothing. @param known every counter that a limit may be given for */
export async function checkLimitNames(root: string, known: ReadonlySet<string>): Promise<void> {
  const text = await readSettings(root);
  if (text !== null) refuseUnknownLimits(settingsDocument(text, settingsFile), known);
}

/** Refuses a role in the file that no protocol has. @param known every role that an agent may be named for */
export async function checkRoleNames(root: string, known: RolesOf): Promise<void> {
  const text = await readSettings(root);
  if (text !== null) refuseUnknownRoles(settingsDocument(text, settingsFile), known);
}

function readSettings(root: string): Promise<Uint8Array | null> {
  return readOwnFile(root, settingsFile);
}

/**
 * Checks the text of a settings file; all faults come in one answer with `file:line:column`: `bad_setting` where one is a
 * limit of a loop, else `config_invalid`.
 */
export function parseSettings(text: string | Uint8Array, file = settingsFile): Settings {
  return settingsDocument(text, file).value;
}

function settingsDocument(text: string | Uint8Array, file: string): YamlDocument<Settings> {
  try {
    const document = parseYaml({ file, text }, (raw) => schemaFor(raw, file), "config_invalid");
    refuseLoopLimits(document);
    return document;
  } catch (error) {
    throw toBadSetting(error);
  }
}

export function defaultSettings(): Settings {
  return SettingsFile.parse({ version: 1 });
}

/** JSON Schema of `mettle.yaml`, for editors. */
export function settingsJsonSchema(): Readonly<Record<string, unknown>> {
  return { ...z.toJSONSchema(SettingsFile, { io: "input" }), title: settingsFile };
}

/** A newer version is no list of faults: it is refused as a whole (CORE-100). */
function schemaFor(raw: unknown, file: string): typeof SettingsFile {
  refuseNewer(raw, { what: file, known: 1 });
  return SettingsFile;
}
