/** `mettle init`: sets a repository up; `--remove` takes back exactly what it wrote. */
import { environment, variable } from "../../config/env.ts";
import { stateHome } from "../../config/home.ts";
import { packageRoot } from "../../config/package-root.ts";
import { fields, tryGit } from "../../git/git.ts";
import { atCheckout, headCommit, openRepository, type Repository } from "../../git/repository.ts";
import { AppError } from "../../lib/errors.ts";
import type { CliCommand } from "../command.ts";
import { bankOf } from "../init/bank-of.ts";
import { initRepository, removeInit, type InitReport } from "../init/initialize.ts";
import { nextSteps, notesOf, type Next } from "../init/next.ts";

export const command: CliCommand = {
  define: (program) => {
    program
      .option(
        "--protocol <name>",
        "the protocol you will use: dptr and riper keep a memory bank",
        "orchestrate",
      )
      .option("--dry-run", "say what would be done and write nothing")
      .option("--remove", "take back what init wrote; files that you changed stay");
  },
  run: async (io, _args, options) => {
    const env = environment();
    const path = variable("PATH", env) ?? "/usr/bin:/bin";
    const repository = await openRepository(io.cwd, { path, mayBeEmpty: true });
    const dryRun = options["dryRun"] === true;
    const remove = options["remove"] === true;
    const protocol = typeof options["protocol"] === "string" ? options["protocol"] : "orchestrate";
    const shipped = packageRoot("protocols");
    const place = {
      root: repository.checkout,
      state: stateHome({ repository: repository.id, env, cwd: io.cwd }).root,
      shipped,
      bank: remove ? null : await bankOf(protocol, { shipped, root: repository.checkout }),
      path,
      dryRun,
    };
    const report = await (remove ? removeInit : initRepository)(place);
    const notes = remove ? removeNotes(report) : notesOf(report);
    const hasCommit = await headCommit(repository).then(() => true, noCommit);
    const next =
      remove || dryRun
        ? []
        : nextSteps({
            found: report.found,
            shared: await notIgnored(repository, report.written),
            hasCommit,
            protocol,
            package: packageRoot(),
          });
    return {
      exit: 0,
      json: { dryRun, ...report, notes, next },
      text: textOf({ ...report, notes, next, dryRun }),
    };
  },
};

/** `git add` refuses to be given what is ignored. */
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

interface Told extends InitReport {
  readonly notes: readonly string[];
  readonly next: readonly Next[];
  readonly dryRun: boolean;
}

function textOf({ written, removed, kept, notes, next, dryRun }: Told): string {
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
          "`mettle init --remove` takes this back; `mettle demo` shows a whole run.",
        ]),
  ].join("\n");
}

function removeNotes({ kept }: InitReport): readonly string[] {
  return kept.length === 0 ? [] : ["kept files were changed since init wrote them; delete them by hand"];
}
