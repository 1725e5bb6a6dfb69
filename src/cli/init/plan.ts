/** What init wants to stand in a repository: files that it makes where there are none, and edits in files it may share. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { settingsFile, settingsJsonSchema } from "../../config/settings.ts";
import { bankFiles, type BankOptions } from "../../memory/bank/templates.ts";
import { expandPartials } from "../../runtime/templates.ts";
import { withHooks, withoutHooks } from "./hooks.ts";
import { withRules, withoutRules } from "./ignore-rules.ts";
import type { Project } from "./project.ts";
import { protocolsReadme, schemaPath, settingsText, templatesReadme } from "./texts.ts";

export interface SharedFile {
  readonly path: string;
  /** null when nothing has to be added. */
  readonly add: (text: string | null) => string | null;
  /** null when there is nothing of ours, an empty text when nothing else would be left. */
  readonly takeOut: (text: string) => string | null;
}

const hooksFile = ".claude/settings.local.json";

export const sharedFiles: readonly SharedFile[] = [
  {
    path: hooksFile,
    add: (text) => withHooks(text, hooksFile),
    takeOut: (text) => withoutHooks(text, hooksFile),
  },
  { path: ".gitignore", add: withRules, takeOut: withoutRules },
];

const sessionFiles = [
  "commands/orchestrate.md",
  "agents/intake.md",
  "agents/planner.md",
  "agents/coder.md",
  "agents/fresh-reviewer.md",
];

export interface Wanted {
  /** The folder of shipped protocols. */
  readonly shipped: string;
  /** The memory bank of the protocol that is meant; null where it has none. */
  readonly bank: BankOptions | null;
}

/** Path -> text of the files that are Mettle's alone, or begin as such. */
export async function ownFiles(
  project: Project,
  { shipped, bank }: Wanted,
): Promise<ReadonlyMap<string, string>> {
  const folder = join(shipped, "orchestrate");
  const honesty = await readFile(join(folder, "templates", "honesty.md"), "utf8");
  const session = sessionFiles.map(async (name) => {
    const text = await readFile(join(folder, "claude", name), "utf8");
    return [`.claude/${name}`, expandPartials(text, { honesty })] as const;
  });
  return new Map([
    [settingsFile, settingsText(project)],
    [schemaPath, `${JSON.stringify(settingsJsonSchema(), null, 2)}\n`],
    [".mettle/protocols/README.md", protocolsReadme],
    [".mettle/templates/README.md", templatesReadme],
    ...(await Promise.all(session)),
    ...(bank === null ? [] : bankFiles(bank)),
  ]);
}
