/** The configuration home of one role in one run. It contains only the login and our files, so that no user setting applies. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AgentSpec } from "../agent.ts";
import { linkLogin } from "../link-login.ts";
import { settingsOf, type CodexSettingsOptions } from "./settings.ts";
import { tomlOf } from "./toml.ts";

export interface CodexHome {
  /** For `CODEX_HOME`. */
  readonly folder: string;
  /** For `TMPDIR`: if the home is below it, Codex confines no command. */
  readonly tmp: string;
  /** File with the JSON Schema of the answer. */
  readonly schema: string | null;
}

export interface CodexHomeOptions extends Omit<CodexSettingsOptions, "spec"> {
  readonly spec: AgentSpec;
}

export async function prepareHome({ spec, ...options }: CodexHomeOptions): Promise<CodexHome> {
  const folder = join(spec.home, "codex");
  const tmp = spec.env["TMPDIR"] ?? join(spec.home, "tmp");
  for (const each of [folder, tmp]) await mkdir(each, { recursive: true, mode: 0o700 });
  if (options.login?.type === "file") await linkLogin(options.login.file, join(folder, "auth.json"));
  // In a file, since every process of the machine can read arguments.
  const settings = tomlOf(settingsOf({ spec, ...options }));
  await writeFile(join(folder, "config.toml"), settings, { mode: 0o600 });
  if (spec.schema === null) return { folder, tmp, schema: null };
  const schema = join(folder, "mettle-schema.json");
  await writeFile(schema, JSON.stringify(spec.schema));
  return { folder, tmp, schema };
}
