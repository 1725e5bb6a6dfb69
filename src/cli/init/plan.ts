/** The files of init: those it creates if they are missing, and edits in files it shares with the user. */
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { settingsJsonSchema } from "../../config/settings.ts";
import { settingsFile } from "../../config/settings-file.ts";
import { bankFiles, type BankOptions } from "../../memory/bank/templates.ts";
import { stepsFolder } from "../../engine/start/library.ts";
import { withHooks, withoutHooks } from "./hooks.ts";
import { withRules, withoutRules } from "./ignore-rules.ts";
import { withServer, withoutServer } from "./mcp-file.ts";
import type { InitProject } from "./project.ts";
import { sessionFiles } from "./session-files.ts";
import { protocolsReadme, schemaPath, settingsText, templatesReadme } from "./texts.ts";

export interface SharedFile {
  readonly path: string;
  /** null if nothing has to be added. */
  readonly add: (text: string | null) => string | null;
  /** null if there is nothing to remove, empty if nothing else is left. */
  readonly takeOut: (text: string) => string | null;
}

const hooksFile = ".claude/settings.local.json";
const serversFile = ".mcp.json";

const hooks: SharedFile = {
  path: hooksFile,
  add: (text) => withHooks(text, hooksFile),
  takeOut: (text) => withoutHooks(text, hooksFile),
};
const servers: SharedFile = {
  path: serversFile,
  add: (text) => withServer(text, serversFile),
  takeOut: (text) => withoutServer(text, serversFile),
};
const ignored: SharedFile = { path: ".gitignore", add: withRules, takeOut: withoutRules };

/** Every file that init may share with the user. */
export const allSharedFiles: readonly SharedFile[] = [hooks, servers, ignored];

/** A session of riper or dptr also uses the tools of `mettle mcp`. */
export function sharedFiles(session: SessionProtocol | null): readonly SharedFile[] {
  return session === null ? [hooks, ignored] : allSharedFiles;
}

/** The protocol that sessions begin with. */
export interface SessionProtocol {
  readonly protocol: string;
  readonly wire: "riper" | "dptr";
}

export interface OwnFileOptions {
  /** The folder of shipped protocols. */
  readonly shipped: string;
  /** The memory bank to create; null if the protocol has none. */
  readonly bank: BankOptions | null;
  /** The protocol of the user's own sessions; null if Mettle starts every agent. */
  readonly session: SessionProtocol | null;
  /** Write the steps protocols of Envoy into the repository; those of an earlier init are updated in any case. */
  readonly envoy?: boolean;
}

/** The folder with copies of the steps protocols, which init updates while they are unchanged. */
export const stepsCopies = ".claude/protocols/";

/** Path -> text of the files that init creates if they are missing. */
export async function ownFiles(
  project: InitProject,
  { shipped, bank, session, envoy = false }: OwnFileOptions,
): Promise<ReadonlyMap<string, string>> {
  const files = await sessionFiles(shipped, session?.wire ?? null, envoy);
  return new Map([
    [settingsFile, settingsText(project, session?.protocol ?? null)],
    [schemaPath, `${JSON.stringify(settingsJsonSchema(), null, 2)}\n`],
    [".mettle/protocols/README.md", protocolsReadme],
    [".mettle/templates/README.md", templatesReadme],
    ...[...files].map(([name, text]) => [`.claude/${name}`, text] as const),
    ...(envoy ? await stepsFiles(shipped) : []),
    ...(bank === null ? [] : bankFiles(bank)),
  ]);
}

async function stepsFiles(shipped: string): Promise<readonly (readonly [path: string, text: string])[]> {
  const folder = join(shipped, stepsFolder);
  const names = (await readdir(folder)).filter((name) => name.endsWith(".yaml")).toSorted();
  return Promise.all(
    names.map(async (name) => [stepsCopies + name, await readFile(join(folder, name), "utf8")] as const),
  );
}
