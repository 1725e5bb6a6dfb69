/** `mettle init`: sets a repository up; `--remove` removes exactly what it wrote. */
import { resolve } from "node:path";
import { environment, programPath } from "../../config/env.ts";
import { stateHome } from "../../config/home.ts";
import { loadSettings } from "../../config/settings.ts";
import { settingsFile } from "../../config/settings-file.ts";
import { packageRoot } from "../../config/package-root.ts";
import { fields, tryGit } from "../../git/git.ts";
import { atCheckout, headCommit, openRepository, type Repository } from "../../git/repository.ts";
import { AppError } from "../../lib/errors.ts";
import { requirePersonOrSession } from "../../channel/person.ts";
import { shellWords } from "../../views/shell-words.ts";
import type { CliResult, CommandHandler } from "../command.ts";
import { hookPath, installHook, removeHook, type HookChange } from "../init/git-hook.ts";
import { initRepository, removeInit, type InitReport } from "../init/initialize.ts";
import { nextSteps, notesOf, type SuggestedCommand } from "../init/next.ts";
import { writePlugin } from "../init/plugin.ts";
import { setupOf, type ProtocolSetup } from "../init/protocol-setup.ts";
import { version } from "../../config/version.ts";
import type { SessionProtocol } from "../init/plan.ts";

export const run: CommandHandler = async (io, given) => {
  // The files that it writes determine the rules of later sessions.
  requirePersonOrSession();
  const env = environment();
  const path = programPath(env);
  const repository = await openRepository(io.cwd, { path, mayBeEmpty: true });
  const dryRun = given.flag("dry-run");
  const remove = given.flag("remove");
  const protocol = given.need("protocol");
  const shipped = packageRoot("protocols");
  const wants = remove ? emptySetup : await setupOf(protocol, { shipped, root: repository.checkout });
  const plugin = given.text("plugin");
  if (plugin !== null && !remove) return pluginIn(resolve(io.cwd, plugin), { shipped, wants, dryRun });
  const place = {
    root: repository.checkout,
    state: stateHome({ repository: repository.id, env, cwd: io.cwd }).root,
    shipped,
    ...wants,
    envoy: given.flag("envoy"),
    path,
    dryRun,
  };
  const files = await (remove ? removeInit : initRepository)(place);
  const hook = await changeHook(repository, { remove, wanted: place.envoy, dryRun });
  const report = withHook(files, hook);
  const notes = remove
    ? removeNotes(report)
    : [
        ...notesOf(report),
        ...hookNotes(hook),
        ...(report.written.includes(settingsFile)
          ? []
          : await sessionNote(repository.checkout, wants.session)),
      ];
  const hasCommit = await headCommit(repository).then(() => true, noCommit);
  const next =
    remove || dryRun
      ? []
      : nextSteps({
          found: report.found,
          shared: await notIgnored(repository, files.written),
          hasCommit,
          protocol,
          package: packageRoot(),
        });
  return {
    exit: 0,
    json: { dryRun, ...report, notes, next },
    text: textOf({ ...report, notes, next, dryRun }),
  };
};

interface HookOptions {
  readonly remove: boolean;
  readonly wanted: boolean;
  readonly dryRun: boolean;
}

async function changeHook(
  repository: Repository,
  { remove, wanted, dryRun }: HookOptions,
): Promise<HookChange> {
  if (remove) return removeHook(repository, dryRun);
  return wanted ? installHook(repository, dryRun) : { type: "nothing" };
}

function withHook(report: InitReport, hook: HookChange): InitReport {
  switch (hook.type) {
    case "written":
    case "removed":
    case "kept":
      return { ...report, [hook.type]: [...report[hook.type], hookPath] };
    case "elsewhere":
    case "nothing":
      return report;
  }
}

function hookNotes(hook: HookChange): readonly string[] {
  if (hook.type !== "elsewhere") return [];
  return [
    `git looks for hooks in ${hook.folder}: call \`mettle envoy plan init\` in your post-checkout hook there, so that each feature branch gets a plan`,
  ];
}

const emptySetup: ProtocolSetup = { bank: null, session: null };

interface PluginRequest {
  readonly shipped: string;
  readonly wants: ProtocolSetup;
  readonly dryRun: boolean;
}

async function pluginIn(folder: string, { shipped, wants, dryRun }: PluginRequest): Promise<CliResult> {
  const { written, kept } = await writePlugin({
    folder,
    shipped,
    session: wants.session,
    version: version(),
    dryRun,
  });
  const would = dryRun ? "would be " : "";
  const lines = [
    ...written.map((path) => `${would}written: ${path}`),
    ...kept.map((path) => `kept: ${path}`),
    `start a session with it: claude --plugin-dir ${shellWords([folder])}`,
  ];
  return { exit: 0, json: { dryRun, folder, written, kept }, text: lines.join("\n") };
}

/** Paths that git does not ignore: `git add` refuses ignored ones. */
async function notIgnored(repository: Repository, paths: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await tryGit(atCheckout(repository), ["check-ignore", "--no-index", "--stdin", "-z"], {
    workTree: repository.checkout,
    input: paths.map((path) => `${path}\0`).join(""),
  });
  const ignored = new Set(fields(stdout));
  return paths.filter((path) => !ignored.has(path));
}

function noCommit(error: unknown): false {
  if (error instanceof AppError) return false;
  throw error;
}

interface InitResult extends InitReport {
  readonly notes: readonly string[];
  readonly next: readonly SuggestedCommand[];
  readonly dryRun: boolean;
}

function textOf({ written, removed, kept, notes, next, dryRun }: InitResult): string {
  const would = dryRun ? "would be " : "";
  return [
    ...written.map((path) => `${would}written: ${path}`),
    ...removed.map((path) => `${would}removed: ${path}`),
    ...kept.map((path) => `kept: ${path}`),
    ...(written.length + removed.length === 0 ? ["nothing to do"] : []),
    ...notes,
    ...(next.length === 0
      ? []
      : [
          "",
          "next:",
          ...next.flatMap(({ command: line, why }) => [`  ${line}`, `      ${why}`]),
          "`mettle init --remove` undoes this; `mettle demo` shows a whole run.",
        ]),
  ].join("\n");
}

function removeNotes({ kept }: InitReport): readonly string[] {
  return kept.length === 0 ? [] : ["the kept files were changed after init wrote them; delete them by hand"];
}

/** A note if the existing settings do not name the protocol of sessions. */
async function sessionNote(root: string, session: SessionProtocol | null): Promise<readonly string[]> {
  if (session === null) return [];
  try {
    if ((await loadSettings(root)).session?.protocol === session.protocol) return [];
  } catch (error) {
    if (!(error instanceof AppError)) throw error; // `mettle doctor` reports invalid settings
  }
  return [
    `put \`session: { protocol: ${session.protocol} }\` into ${settingsFile}: so that your sessions start with it`,
  ];
}
