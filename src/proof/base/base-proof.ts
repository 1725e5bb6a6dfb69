/**
 * Tests the base first (PRV-01): before any agent starts, the base commit's own tests run in a clean checkout. If none
 * passes, no proof is possible there and the environment is at fault: the run does not start.
 */
import { judgeBase, type BasePackage, type UsableBase } from "../../gates/base/base-verdict.ts";
import { countTestsIn, isTestText } from "../../source/test-marks.ts";
import { AppError } from "../../lib/errors.ts";
import { baseCauses, causesText } from "../causes/base-causes.ts";
import { folderOf, packageBaselines, type PackageBaseline, type CacheUse } from "./baseline.ts";
import type { RecordDraft } from "../draft.ts";
import type { Package, RunnerSettings } from "../project/packages.ts";
import type { BaselineCache, ProofPorts } from "../ports.ts";
import { projectAt, type Project } from "../project/project.ts";
import { proofSetting } from "../setting.ts";

export interface BaseRequest {
  readonly ports: ProofPorts;
  readonly cache: BaselineCache;
  readonly settings: RunnerSettings;
  readonly base: string;
  readonly packages: readonly Package[];
}

export interface BaseProof {
  /** The judgement of the base; null where it has no test yet. */
  readonly usable: UsableBase | null;
  /** Records of the runs that were not cached. */
  readonly drafts: readonly RecordDraft[];
}

/** Throws `base_unusable`. A cached run counts only without failures: the cause of a failure may be gone by now. */
export async function proveBase(request: BaseRequest): Promise<BaseProof> {
  const { project, parts } = await runBase(request, "well");
  const verdict = judgeBase(await packagesOfBase(project, parts));
  const drafts = parts.flatMap((part) => part.drafts);
  if (verdict.type === "unusable") throw await unusableError(verdict.why, { request, project, drafts });
  return { usable: verdict.type === "empty" ? null : verdict, drafts };
}

export async function runBase(
  { ports, cache, settings, base, packages }: BaseRequest,
  trusted: CacheUse,
): Promise<{ readonly project: Project; readonly parts: readonly PackageBaseline[] }> {
  const project = await projectAt(ports.repository, base);
  const setting = await proofSetting({ ports, cache, rules: settings.paths, base: project, packages });
  return { project, parts: await packageBaselines(setting, trusted) };
}

export async function packagesOfBase(
  project: Project,
  parts: readonly PackageBaseline[],
): Promise<readonly BasePackage[]> {
  const texts = await project.texts(parts.flatMap(({ files }) => files).filter(isTestText));
  return parts.map(({ one, files, suite }) => ({
    folder: folderOf(one),
    runner: `${one.found.name}${one.found.version === null ? "" : ` ${one.found.version}`}`,
    suite,
    files: new Map(files.map((path) => [path, countTestsIn({ path, text: texts.get(path) ?? "" })])),
  }));
}

interface BaseRuns {
  readonly request: BaseRequest;
  readonly project: Project;
  readonly drafts: readonly RecordDraft[];
}

const shownLines = 20;

async function unusableError(why: string, { request, project, drafts }: BaseRuns): Promise<AppError> {
  const { ports, packages } = request;
  const bad = drafts.filter(({ verdict }) => verdict !== "pass");
  const outputs = await Promise.all(bad.map((draft) => ports.payloads.text(draft.output)));
  const output = [why, ...outputs].join("\n");
  const causes = await baseCauses({ repository: ports.repository, base: project, packages, output });
  const lines = (bad.at(-1)?.lastLines ?? []).filter((line) => line.trim() !== "").slice(-shownLines);
  const details =
    lines.length === 0 ? "" : `\nthe runner's last lines:\n${lines.map((line) => `  ${line}`).join("\n")}`;
  return new AppError("base_unusable", `${why}${details}`, {
    hint:
      causes.length === 0
        ? "`mettle doctor --run` compares with the project's own test command; `packages` in mettle.yaml excludes a package: `FOLDER: none`"
        : causesText(causes),
    detail: { causes: causes.map(({ what, help }) => ({ what, help })), last_lines: lines },
    retry: "safe",
  });
}
