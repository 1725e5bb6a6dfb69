/** What an agent left behind: the tree of its workspace, its documents, and what it wrote where it may not. */
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { reviewFormats, isReplyName } from "../../gates/review-formats.ts";
import { mask } from "../../lib/mask.ts";
import { snapshot, type Snapshot } from "../../git/snapshot.ts";
import { treeOf } from "../../git/tree.ts";
import type { DispatchCommand } from "../../kernel/command.ts";
import type { EventOf, RunEvent } from "../../kernel/run-event.ts";
import type { RunContext } from "../context.ts";
import { rescueWork } from "../rescue-work.ts";
import { standingTree } from "../steps/prompt-place.ts";
import { authored, documentFiles, documentFolder } from "./documents.ts";
import { isUntouched } from "./untouched.ts";
import { isOfPrompt, mayCommit, writesOf, type Workspace } from "./workspace.ts";

export interface Left {
  readonly tree: string;
  /** The commit the workspace was laid from. */
  readonly base: string;
  /** Documents that differ from what was laid. */
  readonly documents: readonly { readonly name: string; readonly ref: string }[];
  /** Paths the role may not write in its workspace; their content was rescued and is not used. */
  readonly outside: readonly string[];
  readonly facts: readonly RunEvent[];
}

interface Harvest {
  readonly context: RunContext;
  readonly command: DispatchCommand;
  readonly workspace: Workspace;
}

export async function harvest({ context, command, workspace }: Harvest): Promise<Left> {
  const { path, commit, laid, follows } = workspace;
  if (follows !== null && isOfPrompt(workspace)) {
    const standing = await standingTree(context, follows);
    return { tree: standing.tree, base: standing.commit, documents: [], outside: [], facts: [] };
  }
  const { tree, changed } = await workIn(context, workspace);
  const files = await documentsIn(context, path);
  const own = ownDocuments(context, command);
  const written = files.filter(({ name, ref }) => laid[name] !== ref);
  const documents = written.filter(({ name }) => own.includes(name));
  const strays = written
    .filter(({ name }) => !own.includes(name))
    .map(({ file }) => `${documentFolder}/${file}`);
  const commits = mayCommit(context, command);
  const outside = [...(commits ? [] : changed.map((change) => change.path)), ...strays];
  if (!commits && changed.length > 0)
    await rescueWork(context, {
      key: command.key,
      reason: "written where the role may not write",
      work: { workspace: path, base: commit },
    });
  const facts: EventOf<"outside.write">[] =
    outside.length === 0
      ? []
      : [{ type: "outside.write", key: command.key, place: "workspace", paths: outside }];
  return { tree, base: commit, documents, outside, facts };
}

async function workIn({ repository }: RunContext, { path, commit, laying }: Workspace): Promise<Snapshot> {
  if (await isUntouched(path, laying))
    return { tree: await treeOf(repository, commit), changed: [], leftOut: [], ignored: [] };
  return snapshot(repository, { workspace: path, base: commit });
}

/** Names of the documents that this dispatch may write. */
function ownDocuments(context: RunContext, command: DispatchCommand): readonly string[] {
  if (command.reply !== undefined && isReplyName(command.reply)) {
    const { file } = reviewFormats[command.reply];
    return file === null ? [] : [file.replace(".md", "")];
  }
  if (writesOf(context, command) !== "documents") return [];
  return command.role === "intake" ? ["spec"] : authored;
}

/** The files of the workspace's document folder. A file that is no document of ours is named by its own name. */
async function documentsIn(context: RunContext, path: string) {
  const names = new Map(Object.entries(documentFiles).map(([name, file]) => [file, name]));
  const folder = join(path, documentFolder);
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []); // the agent removed the folder
  const found = [];
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const text = mask((await readFile(join(folder, entry.name))).toString("utf8"), context.host.secrets);
    found.push({
      name: names.get(entry.name) ?? entry.name,
      file: entry.name,
      ref: await context.payloads.put(text),
    });
  }
  return found;
}
