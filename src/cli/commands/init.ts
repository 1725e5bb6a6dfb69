/** `mettle init`: sets a repository up; `--remove` takes back exactly what it wrote. */
import { environment, variable } from "../../config/env.ts";
import { stateHome } from "../../config/home.ts";
import { packageRoot } from "../../config/package-root.ts";
import { runners } from "../../evidence/runners/registry.ts";
import { openRepository } from "../../git/repository.ts";
import type { CliCommand } from "../command.ts";
import { initRepository, removeInit, type InitReport } from "../init/initialize.ts";

export const command: CliCommand = {
  define: (program) => {
    program
      .option("--dry-run", "say what would be done and write nothing")
      .option("--remove", "take back what init wrote; files that you changed stay");
  },
  run: async (io, _args, options) => {
    const env = environment();
    const path = variable("PATH", env) ?? "/usr/bin:/bin";
    const repository = await openRepository(io.cwd, { path, mayBeEmpty: true });
    const dryRun = options["dryRun"] === true;
    const remove = options["remove"] === true;
    const place = {
      root: repository.checkout,
      state: stateHome({ repository: repository.id, env, cwd: io.cwd }).root,
      shipped: packageRoot("protocols"),
      path,
      dryRun,
    };
    const report = await (remove ? removeInit : initRepository)(place);
    const notes = remove ? removeNotes(report) : initNotes(report);
    return { exit: 0, json: { dryRun, ...report, notes }, text: textOf({ ...report, notes, dryRun }) };
  },
};

function textOf(
  report: InitReport & { readonly notes: readonly string[]; readonly dryRun: boolean },
): string {
  const would = report.dryRun ? "would be " : "";
  return [
    ...report.written.map((path) => `${would}written: ${path}`),
    ...report.removed.map((path) => `${would}removed: ${path}`),
    ...report.kept.map((path) => `kept: ${path}`),
    ...(report.written.length + report.removed.length === 0 ? ["nothing to do"] : []),
    ...report.notes,
  ].join("\n");
}

function initNotes({ found, kept, written }: InitReport): readonly string[] {
  const usable = found.runners.filter((name) => Object.hasOwn(runners, name));
  const others = found.runners.filter((name) => !Object.hasOwn(runners, name));
  const list = (names: readonly string[]) => (names.length === 0 ? "none" : names.join(", "));
  return [
    `found: languages ${list(found.languages)}; test runners ${list(found.runners)}; agents ${list(found.agents)}`,
    ...(others.length > 0 ? [`this version cannot execute ${list(others)} as proof yet`] : []),
    ...(usable.length > 1 ? [`name one of ${list(usable)} as \`runner\` in mettle.yaml`] : []),
    ...(usable.length === 0
      ? [`no test runner that this version executes: it needs ${Object.keys(runners).join(" or ")}`]
      : []),
    ...(kept.length > 0 && written.length > 0 ? ["files that were there before stay as they are"] : []),
    ...(found.hasMettle
      ? []
      : ["`mettle` is not on PATH, where the hooks look for it: `npm link` in Mettle's checkout"]),
    "next: `mettle demo` shows a whole run; `mettle init --remove` takes this back",
  ];
}

function removeNotes({ kept }: InitReport): readonly string[] {
  return kept.length === 0 ? [] : ["kept files were changed since init wrote them; delete them by hand"];
}
