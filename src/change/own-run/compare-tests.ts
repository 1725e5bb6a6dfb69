/** `mettle doctor --run`: runs the base in a clean checkout and the project's own command in the user's checkout (PRV-03). */
import type { Settings } from "../../config/settings.ts";
import { judgeBase } from "../../gates/base/base-verdict.ts";
import type { OpenHost } from "../../run/host.ts";
import { baseCauses } from "../../proof/causes/base-causes.ts";
import { packagesOfBase, runBase } from "../../proof/base/base-proof.ts";
import { folderOf, type PackageBaseline } from "../../proof/base/baseline.ts";
import { detectPackages } from "../../proof/project/packages.ts";
import type { Project } from "../../proof/project/project.ts";
import { cacheIn, hostPorts } from "../../run/proof-ports.ts";
import { differences, type Difference } from "./differences.ts";
import { ownTests, type OwnRequest } from "./own-tests.ts";

export interface PackageComparison {
  readonly folder: string;
  readonly runner: string;
  /** The project's own command. */
  readonly command: string;
  readonly own: {
    readonly exit: number | null;
    readonly tests: number | null;
    readonly last_lines: readonly string[];
  };
  readonly proof: { readonly exit: number | null; readonly tests: number };
  readonly differences: readonly Difference[];
  /** Why tests were not compared; null if all were. */
  readonly uncompared: string | null;
}

export interface BaseComparison {
  readonly commit: string;
  /** Why a run cannot start; null if it can. */
  readonly unusable: string | null;
  readonly causes: readonly { readonly what: string; readonly help: string }[];
  readonly packages: readonly PackageComparison[];
}

export interface CompareOptions {
  readonly settings: Settings;
  readonly commit: string;
  readonly signal?: AbortSignal;
  readonly progress?: (what: string) => void;
}

export async function compareBase(host: OpenHost, options: CompareOptions): Promise<BaseComparison> {
  const { settings, commit, signal, progress } = options;
  const { repository, payloads } = host;
  const ports = hostPorts(host, { settings, signal, progress });
  const packages = await detectPackages({ repository, commit, settings });
  const request = { ports, cache: cacheIn(host.journal), settings, base: commit, packages };
  const { project, parts } = await runBase(request, "nothing");
  const verdict = judgeBase(await packagesOfBase(project, parts));
  const bad = parts.flatMap(({ drafts }) => drafts).filter((draft) => draft.verdict !== "pass");
  const outputs = await Promise.all(bad.map((draft) => payloads.text(draft.output)));
  const why = verdict.type === "unusable" ? [verdict.why] : [];
  const output = [...why, ...outputs].join("\n");
  const causes = output === "" ? [] : await baseCauses({ repository, base: project, packages, output });
  const cause = causes.find(({ isMentioned }) => isMentioned) ?? null;
  const { env, node } = host.host;
  const around = { repository, env, node, timeoutMs: settings.deadlines.testMs, signal, progress };
  const compared: PackageComparison[] = [];
  for (const part of parts) compared.push(await comparePart({ ...around, project, part, cause }));
  return {
    commit,
    unusable: verdict.type === "unusable" ? verdict.why : null,
    causes: causes.map(({ what, help }) => ({ what, help })),
    packages: compared,
  };
}

export interface CompareRequest extends Pick<
  OwnRequest,
  "repository" | "env" | "node" | "timeoutMs" | "signal"
> {
  readonly project: Project;
  readonly part: PackageBaseline;
  /** A known difference of the clean checkout. */
  readonly cause: { readonly what: string; readonly help: string } | null;
  readonly progress?: ((what: string) => void) | undefined;
}

export async function comparePart(comparing: CompareRequest): Promise<PackageComparison> {
  const { project, part, cause, progress } = comparing;
  const { one, suite, files } = part;
  const manifest = `${one.prefix}package.json`;
  const packageJson = (await project.texts([manifest])).get(manifest) ?? null;
  progress?.("running your own test command");
  const own = await ownTests({ ...comparing, one, files, packageJson });
  const proof = new Map(suite.report.tests.map(({ id, status }) => [id, status]));
  const found =
    own.tests === null
      ? []
      : differences({
          own: own.tests,
          proof,
          files: new Set(files),
          committed: new Set(project.files.keys()),
          unloaded: new Map(suite.report.loadErrors.map(({ file, message }) => [file, message])),
          messages: new Map(suite.report.tests.map(({ id, message }) => [id, message])),
          surroundings: cause === null ? null : `${cause.what}: ${cause.help}`,
        });
  return {
    folder: folderOf(one),
    runner: one.found.name,
    command: own.shown,
    own: {
      exit: own.exitCode,
      tests: own.tests?.size ?? null,
      last_lines: own.tests === null ? own.lastLines : [],
    },
    proof: { exit: suite.exitCode, tests: proof.size },
    differences: found,
    uncompared: own.why,
  };
}
