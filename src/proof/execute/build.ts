/**
 * Builds the project in a clean checkout: the script `build` of each package.json, and go and cargo with their own command.
 * The commit alone decides whether there is a build; a project without one is reported as such.
 */
import { mkdir } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { failed, passed, unclear } from "../../gates/check.ts";
import type { Check } from "../../gates/verdict.ts";
import { committedOnce, type Checkout } from "../checkout/checkout.ts";
import { draftOfRun, type RecordDraft } from "../draft.ts";
import { abortedBy, systemPath } from "./execute-command.ts";
import { buildScript } from "../project/manifest.ts";
import type { ProofPackage, ProofSetting } from "../proof-package.ts";
import { projectIn, type Project } from "../project/project.ts";
import { readsOf } from "./reads.ts";
import { startProgram } from "./start-program.ts";

export interface BuildRequest {
  readonly checkout: Checkout;
  /** The commit in the checkout. */
  readonly of: Project;
  /** `squash.build`, `node_scaffold.build`. */
  readonly purpose: string;
}

export interface BuildResult {
  /** The check `build`. */
  readonly check: Check;
  /** Output of the failed build, else of the last one; empty where there is no build. */
  readonly output: string;
  /** The commands that ran, as a person types them; empty where the project has no build. */
  readonly commands: readonly string[];
}

/** Builds the packages of the setting in order and stops at the first failure. */
export async function runBuild(
  setting: ProofSetting,
  building: BuildRequest,
  made: RecordDraft[],
): Promise<BuildResult> {
  const { ports, base } = setting;
  await committedOnce(building.checkout, ports.repository, base.commit);
  const commands: string[] = [];
  let last = "";
  for (const one of setting.packages) {
    const command = await buildCommand(one, building.of);
    if (command === null) continue;
    commands.push(command.text);
    setting.ports.progress?.(`building with ${command.text}`);
    const { check, output, draft } = await runPackageBuild(setting, { one, command, building });
    made.push(draft);
    last = output;
    if (check.verdict !== "pass") return { check, output, commands };
  }
  return { check: passed("build"), output: last, commands };
}

/** The build commands of the project at a commit, as a person types them; empty where it has no build. */
export async function buildCommands(
  { packages }: Pick<ProofSetting, "packages">,
  of: Project,
): Promise<readonly string[]> {
  const all = await Promise.all(packages.map((one) => buildCommand(one, of)));
  return all.flatMap((command) => command?.text ?? []);
}

interface Command {
  readonly argv: readonly [string, ...string[]];
  readonly text: string;
}

async function buildCommand({ prefix, inner, found }: ProofPackage, of: Project): Promise<Command | null> {
  const program = found.program?.path;
  if (found.name === "go" && program !== undefined)
    return { argv: [program, "build", "./..."], text: "go build ./..." };
  if (found.name === "cargo" && program !== undefined)
    return { argv: [program, "build", "--offline", "--workspace"], text: "cargo build --workspace" };
  const text = (await projectIn(of, prefix, inner).texts(["package.json"])).get("package.json");
  const build = text === undefined ? null : buildScript(text);
  const where = prefix === "" ? "" : ` --prefix ${prefix.slice(0, -1)}`;
  // Like npm, but without npm's settings and hooks: a shell, with the project's programs first on PATH.
  return build === null ? null : { argv: ["/bin/sh", "-c", build], text: `npm run build${where}` };
}

interface PackageBuild {
  readonly one: ProofPackage;
  readonly command: Command;
  readonly building: BuildRequest;
}

async function runPackageBuild({ ports }: ProofSetting, { one, command, building }: PackageBuild) {
  const { checkout, of, purpose } = building;
  const { found } = one;
  const cwd = join(checkout.path, one.prefix.slice(0, -1));
  const place = { home: join(checkout.scratch, "build-home"), cache: join(checkout.scratch, "cache") };
  for (const folder of Object.values(place)) await mkdir(folder, { recursive: true });
  const own = [checkout.path, cwd].map((folder) => join(folder, "node_modules", ".bin")).toReversed();
  const env = {
    PATH: [...own, dirname(found.program?.path ?? ports.node), dirname(ports.node), systemPath].join(
      delimiter,
    ),
    HOME: place.home,
    TMPDIR: place.home,
    LANG: "C.UTF-8",
    CI: "1",
    ...found.runner.env,
    ...found.program?.env,
    ...found.runner.envIn?.(place),
  };
  const [program, ...argv] = command.argv;
  const options = { cwd, env, timeoutMs: ports.timeoutMs, ...abortedBy(ports) };
  const start = { file: program, argv, options, checkout: checkout.path, place: place.home };
  const reads = await readsOf(ports, checkout, found);
  const { ran, output: raw, isolation } = await startProgram(ports, { ...start, cache: place.cache, reads });
  const output = raw.replaceAll(`${checkout.path}/`, "");
  const started = {
    purpose,
    argv: [program, ...argv],
    cwd,
    env,
    isolation,
    commit: of.commit,
    tree: of.tree,
  };
  const draft = { ...(await draftOfRun(ports, started, ran, output)), title: command.text };
  const why = draft.reasons.join("; ");
  const check =
    draft.verdict === "pass"
      ? passed("build")
      : draft.verdict === "fail"
        ? failed("build", `${command.text} must succeed: ${why}`)
        : unclear("build", `${command.text}: ${why}`);
  return { check, output, draft };
}
