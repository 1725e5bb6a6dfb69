/** Template variables with whole documents and files, byte for byte (ORC-24, 27, 31). */
import { readBlobs } from "../../git/objects/contents.ts";
import { listFiles, submoduleMode, symlinkMode } from "../../git/objects/tree.ts";
import { isInSource, kindOf } from "../../source/paths.ts";
import type { DispatchCommand } from "../../kernel/command.ts";
import type { RunContext } from "../../run/context.ts";
import { toldDocument } from "../holdout/told.ts";
import { fitSources, inlineFiles, type FittedSources, type InlineFile } from "./inline-files.ts";

/** Max bytes of source in a reviewer's prompt. */
const maxSourceBytes = 400_000;

export async function filesVariables(context: RunContext, command: DispatchCommand) {
  const sees = new Set(command.sees);
  const { session, started, settings } = context;
  const commit = session.view.withheld[command.key]?.reduced ?? session.view.head.branch ?? started.base;
  const isTest = (path: string) => kindOf(path, settings.paths) === "test";
  const output = await documentText(context, command, "test-output");
  return {
    spec: sees.has("spec") ? await documentText(context, command, "spec") : undefined,
    architecture: sees.has("architecture") ? await documentText(context, command, "architecture") : undefined,
    tests: sees.has("tests") ? inlineFiles(await filesWhere(context, commit, isTest)) : undefined,
    red_output: sees.has("red_output") ? output : undefined,
    green_output: sees.has("green_output") ? output : undefined,
    ...(sees.has("source") ? await sources(context) : { source: undefined, omitted: undefined }),
  };
}

async function documentText(context: RunContext, command: DispatchCommand, name: string): Promise<string> {
  const ref = context.session.view.documents[name]?.ref;
  return ref === undefined ? "" : toldDocument(context, command, { name, ref });
}

async function sources(context: RunContext) {
  const fitted = await fittedSources(context);
  return { source: fitted.text, omitted: fitted.omitted.join("\n") };
}

/** The folders of source, and what the run changed, for a reviewer's prompt, and the files that are too large for it. */
export async function fittedSources(context: RunContext): Promise<FittedSources> {
  const commit = context.session.view.head.branch ?? context.started.base;
  const changed = context.session.view.commits
    .filter(({ kind }) => kind === "green")
    .flatMap(({ paths }) => paths);
  const files = await filesWhere(
    context,
    commit,
    (path) => isInSource(path, context.settings.paths) || changed.includes(path),
  );
  return fitSources({ files, changed, maxBytes: maxSourceBytes });
}

async function filesWhere(
  { repository }: RunContext,
  commit: string,
  wanted: (path: string) => boolean,
): Promise<readonly InlineFile[]> {
  const files = (await listFiles(repository, commit)).filter(
    ({ path, mode }) => wanted(path) && mode !== symlinkMode && mode !== submoduleMode,
  );
  const blobs = await readBlobs(
    repository,
    files.map(({ blob }) => blob),
  );
  return files.flatMap(({ path, blob }) => {
    const bytes = blobs.get(blob);
    return bytes === undefined || bytes.includes(0) ? [] : [{ path, text: bytes.toString("utf8") }];
  });
}
