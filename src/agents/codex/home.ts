/** The configuration home of one role in one run: empty but for the login and what we write, so that nothing of the user's reaches it. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AgentSpec } from "../agent.ts";
import { linkLogin } from "../link-login.ts";
import { settingsOf, type SettingsOptions } from "./settings.ts";
import { tomlOf } from "./toml.ts";

export interface Home {
  /** For `CODEX_HOME`. */
  readonly folder: string;
  /** For `TMPDIR`: in a home below it Codex confines no command (research, agents 3). */
  readonly tmp: string;
  /** File of the JSON Schema that is demanded. */
  readonly schema: string | null;
}

export interface HomeOptions extends Omit<SettingsOptions, "spec"> {
  readonly spec: AgentSpec;
}

export async function prepareHome({ spec, ...asked }: HomeOptions): Promise<Home> {
  const folder = join(spec.home, "codex");
  const tmp = spec.env["TMPDIR"] ?? join(spec.home, "tmp");
  for (const each of [folder, tmp]) await mkdir(each, { recursive: true, mode: 0o700 });
  if (asked.login?.type === "file") await linkLogin(asked.login.file, join(folder, "auth.json"));
  // In a file, since arguments are for every process of the machine to read.
  const settings = tomlOf(settingsOf({ spec, ...asked }));
  await writeFile(join(folder, "config.toml"), settings, { mode: 0o600 });
  if (spec.schema === null) return { folder, tmp, schema: null };
  const schema = join(folder, "mettle-schema.json");
  await writeFile(schema, JSON.stringify(spec.schema));
  return { folder, tmp, schema };
}
