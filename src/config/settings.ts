import * as z from "zod";
import { refuseNewer } from "../lib/refuse-newer.ts";
import { parseYaml, type YamlDocument } from "../lib/yaml/yaml-document.ts";
import { readOwnFile } from "./own-file.ts";
import { toBadSetting, refuseLoopLimits, refuseUnknownLimits } from "./loop-limits.ts";
import { refuseUnknownRoles, type RolesOf } from "./role-names.ts";
import { settingsFile } from "./settings-file.ts";
import { Settings, SettingsFile } from "./settings-schema.ts";

export { Settings, type RolesOf };

/** The settings of a repository: its `mettle.yaml`, or the defaults when there is none. */
export async function loadSettings(root: string): Promise<Settings> {
  const text = await readSettings(root);
  return text === null ? defaultSettings() : parseSettings(text);
}

/** Refuses unknown limits in the file. @param known names of all limits @throws bad_setting */
export async function checkLimitNames(root: string, known: ReadonlySet<string>): Promise<void> {
  const text = await readSettings(root);
  if (text !== null) refuseUnknownLimits(settingsDocument(text, settingsFile), known);
}

/** Refuses unknown roles in the file. @param known all roles by protocol @throws config_invalid */
export async function checkRoleNames(root: string, known: RolesOf): Promise<void> {
  const text = await readSettings(root);
  if (text !== null) refuseUnknownRoles(settingsDocument(text, settingsFile), known);
}

function readSettings(root: string): Promise<Uint8Array | null> {
  return readOwnFile(root, settingsFile);
}

/**
 * Parses the text of a settings file.
 * @throws with all faults and their `file:line:column`: `bad_setting` if one is a loop limit, else `config_invalid`
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

/** Refuses a newer version as a whole, instead of listing its faults (CORE-100). */
function schemaFor(raw: unknown, file: string): typeof SettingsFile {
  refuseNewer(raw, { what: file, known: 1 });
  return SettingsFile;
}
