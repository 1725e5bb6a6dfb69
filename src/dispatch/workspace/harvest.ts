/** Collects an agent's work: the tree of its workspace, its documents, and the paths that it may not write. */
import type { Harvest } from "../../family/agent-result.ts";
import { reviewFormats, isReplyName } from "../../gates/review/review-formats.ts";
import { mask } from "../../lib/mask.ts";
import { snapshot, type Snapshot } from "../../git/objects/snapshot.ts";
import { composeTree, treeOf } from "../../git/objects/tree.ts";
import type { DispatchCommand } from "../../kernel/command.ts";
import type { RunEvent } from "../../log/run-event.ts";
import type { RunContext } from "../../run/context.ts";
import { restoreMemoryBank } from "./memory-bank-copy.ts";
import { rescueWork } from "../../run/rescue-work.ts";
import {
  agentDocuments,
  documentFiles,
  documentFolder,
  maxDocumentBytes,
} from "../../run/documents/names.ts";
import { documentNames, readDocument } from "./documents.ts";
import { leakedIn } from "./leaked.ts";
import { ignoredWork, type LeftOutFile } from "./left-out.ts";
import { isUntouched } from "./untouched.ts";
import type { Workspace } from "../../family/work.ts";
import { mayCommit, writesOf } from "./workspace.ts";
import { storeText } from "../../run/stored-text.ts";

interface HarvestOptions {
  readonly context: RunContext;
  readonly command: DispatchCommand;
  readonly workspace: Workspace;
}

export async function harvestWorkspace({ context, command, workspace }: HarvestOptions): Promise<Harvest> {
  const { path, commit, documents: given, work: begun } = workspace;
  if (begun.folder !== null) {
    const current = await begun.folder.snapshot();
    return { tree: current.tree, base: current.commit, documents: [], outside: [], leaked: [], facts: [] };
  }
  const work = await workIn(context, workspace);
  const { changed, leftOut } = work;
  const { tree, base } = await withWithheldTests(context, command, { work, commit });
  const leaked = await leakedIn(context, { path, base: commit, changed });
  const { files, tooLarge } = await documentsIn(context, path);
  const own = ownDocuments(context, command);
  const written = files.filter(({ name, ref }) => given[name] !== ref);
  const documents = written.filter(({ name }) => own.includes(name));
  const strays = written
    .filter(({ name }) => !own.includes(name))
    .map(({ file }) => `${documentFolder}/${file}`);
  const commits = mayCommit(context, command);
  const touched = [...changed, ...leftOut].map((change) => change.path);
  const outside = [...(commits ? [] : touched), ...strays].map((name) => mask(name, context.host.secrets));
  if (!commits && changed.length > 0 && leaked.length === 0)
    await rescueWork(context, {
      key: command.key,
      reason: "written where the role may not write",
      work: { workspace: path, base: commit },
    });
  const notKept = [...leftOut, ...tooLarge, ...(commits ? await ignoredWork(context, workspace, work) : [])];
  const facts: RunEvent[] = [];
  if (outside.length > 0)
    facts.push({ type: "outside.write", key: command.key, place: "workspace", paths: outside });
  if (notKept.length > 0)
    facts.push({
      type: "files.left_out",
      key: command.key,
      files: notKept.map((file) => ({ ...file, path: mask(file.path, context.host.secrets) })),
    });
  return { tree, base, documents, outside, leaked, facts };
}

/** Puts the withheld tests back. A file that the agent changed stays as it is, and GREEN refuses it. */
async function withWithheldTests(
  { session, repository }: RunContext,
  { key }: DispatchCommand,
  { work: { tree, changed }, commit }: { readonly work: Snapshot; readonly commit: string },
): Promise<Pick<Harvest, "tree" | "base">> {
  const withheld = session.view.withheld[key];
  if (withheld === undefined) return { tree, base: commit };
  const touched = new Set(changed.map(({ path }) => path));
  const back = new Set(withheld.files.filter((path) => !touched.has(path)));
  const { commit: base } = withheld;
  const take = (path: string) => back.has(path);
  return { tree: await composeTree(repository, { base: tree, overlay: base, take }), base };
}

async function workIn(
  context: RunContext,
  { path, commit, initialFingerprint }: Workspace,
): Promise<Snapshot> {
  const { repository } = context;
  if (await isUntouched(path, initialFingerprint))
    return { tree: await treeOf(repository, commit), changed: [], leftOut: [], ignored: [] };
  await restoreMemoryBank(context, path);
  return snapshot(repository, { workspace: path, base: commit });
}

/** Names of the documents that this dispatch may write. */
function ownDocuments(context: RunContext, command: DispatchCommand): readonly string[] {
  if (command.reply !== undefined && isReplyName(command.reply)) {
    const { file } = reviewFormats[command.reply];
    return file === null ? [] : [file.replace(".md", "")];
  }
  if (writesOf(context, command) !== "documents") return [];
  return command.role === "intake" ? ["spec"] : agentDocuments;
}

/** The files of the workspace's document folder. An unknown file keeps its file name. */
async function documentsIn(context: RunContext, path: string) {
  const names = new Map(Object.entries(documentFiles).map(([name, file]) => [file, name]));
  const files = [];
  const tooLarge: LeftOutFile[] = [];
  for (const file of await documentNames(path)) {
    const written = await readDocument(path, file);
    if (written === null) {
      const why = `a document has at most ${maxDocumentBytes / 1024 / 1024} MiB`;
      tooLarge.push({ path: `${documentFolder}/${file}`, reason: "too_large", why });
      continue;
    }
    const ref = await storeText(context, written);
    files.push({ name: names.get(file) ?? file, file, ref });
  }
  return { files, tooLarge };
}
