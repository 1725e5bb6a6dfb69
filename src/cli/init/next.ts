/** The end of the output of init: what it found, and the next commands, ready to be typed. */
import { runners } from "../../evidence/runners/registry.ts";
import { shellWords } from "../../views/shell-words.ts";
import { firstRun } from "../first-run.ts";
import type { InitReport } from "./initialize.ts";
import type { InitProject } from "./project.ts";
import { list } from "./texts.ts";

export function notesOf({ found, kept, written }: InitReport): readonly string[] {
  const usable = found.runners.filter((name) => Object.hasOwn(runners, name));
  const packages = Object.entries(found.packages).map(([folder, name]) => `${folder} ${name}`);
  const others = found.runners.filter((name) => !Object.hasOwn(runners, name));
  return [
    `found: languages ${list(found.languages)}; test runners ${list(found.runners)}; agents ${list(found.agents)}`,
    `source: ${sourceNote(found.sources)}`,
    ...(others.length > 0 ? [`this version cannot prove tests of ${list(others)} yet`] : []),
    ...(packages.length > 0 ? [`test runner of each package: ${packages.join(", ")}`] : []),
    ...(found.runner === null && packages.length === 0 && usable.length > 1
      ? [`name one of ${list(usable)} as \`runner\` in mettle.yaml`]
      : []),
    ...(found.runner === null && usable.length === 0
      ? [`no test runner that this version executes: it needs one of ${list(Object.keys(runners))}`]
      : []),
    ...(kept.length > 0 && written.length > 0 ? ["existing files are unchanged"] : []),
  ];
}

function sourceNote(folders: readonly string[]): string {
  const rest = "every file that is neither test, fixture nor configuration";
  return folders.length === 0 ? rest : `${folders.join(", ")}, and ${rest}`;
}

export interface SuggestedCommand {
  readonly command: string;
  readonly why: string;
}

export interface NextStepsOptions {
  readonly found: Pick<InitProject, "hasMettle" | "agents">;
  /** Files that init wrote and git does not ignore. */
  readonly shared: readonly string[];
  /** Whether the repository has a commit that a run could start from. */
  readonly hasCommit: boolean;
  /** The name of the protocol. */
  readonly protocol: string;
  /** Mettle's own folder. */
  readonly package: string;
}

export function nextSteps(options: NextStepsOptions): readonly SuggestedCommand[] {
  const { found, shared, hasCommit, protocol, package: own } = options;
  // The local settings of a session are the user's own and are not committed.
  const places = shared
    .filter((path) => path !== ".claude/settings.local.json")
    .map((path) =>
      path.includes("/") ? path.replace(/^(\.mettle|memory-bank|\.claude\/\w+)\/.*$/u, "$1") : path,
    );
  const files = shellWords([...new Set(places)]);
  const link = {
    command: `(cd ${shellWords([own])} && npm link)`,
    why: "puts `mettle` on your PATH, where hooks look for it",
  };
  const first = { command: 'git add -A && git commit -m "Start"', why: "a run starts from a commit" };
  const commit = {
    command: `git add ${files} && git commit -m "Set up Mettle"`,
    why: "so that a run uses it",
  };
  return [
    ...(found.hasMettle ? [] : [link]),
    ...(hasCommit ? (places.length > 0 ? [commit] : []) : [first]),
    { command: "mettle doctor", why: "reports what is missing and how to fix it" },
    { command: firstRun(protocol), why: "your first task" },
  ];
}
