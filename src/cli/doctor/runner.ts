import { installCommand, isPlugAndPlay } from "../../proof/project/install-hint.ts";
import { runners } from "../../evidence/runners/registry.ts";
import { AppError } from "../../lib/errors.ts";
import { moduleFolders } from "../../proof/project/locate-runner.ts";
import { nodeMismatch } from "../../proof/project/node-version.ts";
import { acceptanceHint, alsoRunsText } from "../../proof/execute/other-commands.ts";
import { detectPackages, type Package } from "../../proof/project/packages.ts";
import { projectAt, type Project } from "../../proof/project/project.ts";
import { testSetupOf } from "../../proof/execute/test-setup.ts";
import { fail, ok, warn, type DoctorCheck, type DoctorContext } from "./check.ts";

export const runner: DoctorCheck = {
  name: "runner",
  needed: true,
  async examine({ repository, head, settings, env, nodeVersion }) {
    if (repository === null || typeof head !== "string") return []; // the check `branch` says why
    try {
      const packages = await detectPackages({ repository, commit: head, settings });
      const project = await projectAt(repository, head);
      const more = await Promise.all(
        packages.map((one) => packageFindings(one, { repository, project, settings, env, nodeVersion })),
      );
      const seen = packages.map(({ prefix, found: { name, version } }) => {
        const folder = prefix === "" ? "." : prefix.slice(0, -1);
        const isNamed = folder === "." && settings.runner !== undefined;
        const how = isNamed || settings.packages?.[folder] !== undefined ? "set in mettle.yaml" : "detected";
        const where = packages.length === 1 && folder === "." ? "" : `${folder}: `;
        return ok(`${where}${name}${version === null ? "" : ` ${version}`}, ${how}`);
      });
      return [...seen, ...new Map(more.flat().map((finding) => [finding.seen, finding])).values()];
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return [fail(error.message, (await installHint(repository.checkout, error)) ?? error.hint)];
    }
  },
};

interface PackageContext extends Pick<DoctorContext, "settings" | "env" | "nodeVersion"> {
  readonly repository: NonNullable<DoctorContext["repository"]>;
  readonly project: Project;
}

/** Reports the variables and loaders of a package's tests, unset variables, unjudged commands, and a different Node.js version. */
async function packageFindings(
  { prefix, found }: Package,
  { repository, project, settings, env, nodeVersion }: PackageContext,
) {
  const ports = { repository, tests: settings.tests, env };
  const given = await testSetupOf({ ports, base: project, prefix, runner: found.name });
  const names = [...Object.keys(given.env), ...given.loaders];
  const unset = Object.entries(settings.tests?.env ?? {}).flatMap(([name, value]) =>
    value === null && env[name] === undefined ? [name] : [],
  );
  const packageJson = (await project.texts([`${prefix}package.json`])).get(`${prefix}package.json`);
  const other =
    found.program !== null || packageJson === undefined
      ? null
      : await nodeMismatch({ folders: moduleFolders(repository, prefix), packageJson }, nodeVersion);
  return [
    ...(names.length === 0
      ? []
      : [ok(`tests of ${prefix === "" ? "." : prefix.slice(0, -1)} get ${names.join(", ")}`)]),
    ...unset.map((name) =>
      warn(`tests.env passes on ${name}, which is not set`, `set ${name}, or remove it from mettle.yaml`),
    ),
    ...given.others
      .filter(({ runner: name }) => runners[name] === undefined)
      .map((command) =>
        warn(`${alsoRunsText(command)}, which no runner of Mettle can execute`, acceptanceHint(command)),
      ),
    ...(other === null ? [] : [warn(other, "start Mettle with that Node.js: `nvm use`, then `mettle …`")]),
  ];
}

/** The command that installs the project's own packages, if the runner is one of them; else null. */
async function installHint(
  checkout: NonNullable<DoctorContext["repository"]>["checkout"],
  { code, detail }: AppError,
) {
  if (code !== "runner_not_found") return null;
  const name =
    typeof detail === "object" && detail !== null && "runner" in detail ? String(detail.runner) : "";
  if (typeof runners[name]?.entry !== "string") return null;
  return (await isPlugAndPlay(checkout)) ? null : installCommand(checkout);
}
