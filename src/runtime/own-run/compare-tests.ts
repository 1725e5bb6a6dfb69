/** `mettle doctor --run`: the base once in a clean checkout, and the project's own command in the user's checkout (PRV-03). */
import type { Settings } from "../../config/settings.ts";
import { judgeBase } from "../../gates/base-standing.ts";
import type { TestResult } from "../../evidence/test-result.ts";
import type { OpenHost } from "../host.ts";
import { baseCauses } from "../proof/base-causes.ts";
import { packagesOfBase, runBase } from "../proof/base-proof.ts";
import { folderOf, type PackageBaseline } from "../proof/baseline.ts";
import { detectPackages } from "../proof/packages.ts";
import type { Project } from "../proof/project.ts";
import { cacheIn, hostPorts } from "../proof-ports.ts";
import { differences, type Difference } from "./differences.ts";
import { ownTests } from "./own-tests.ts";

export interface PackageCompared {
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
  /** Why not each test was compared; null where each was. */
  readonly uncompared: string | null;
}

export interface BaseCompared {
  readonly commit: string;
  /** Why a run could not begin; null where it could. */
  readonly unusable: string | null;
  readonly causes: readonly { readonly what: string; readonly help: string }[];
  readonly packages: readonly PackageCompared[];
}

export interface CompareWish {
  readonly settings: Settings;
  readonly commit: string;
  readonly signal?: AbortSignal;
  readonly progress?: (what: string) => void;
}

export async function compareBase(host: OpenHost, wish: CompareWish): Promise<BaseCompared> {
  const { settings, commit, signal, progress } = wish;
  const { repository, payloads } = host;
  const ports = hostPorts(host, { settings, signal, progress });
  const packages = await detectPackages({ repository, commit, settings });
  const asked = { ports, cache: cacheIn(host.journal), settings, base: commit, packages };
  const { project, parts } = await runBase(asked, "nothing");
  const verdict = judgeBase(await packagesOfBase(project, parts));
  const bad = parts.flatMap(({ drafts }) => drafts).filter((draft) => draft.verdict !== "pass");
  const output = (await Promise.all(bad.map((draft) => payloads.text(draft.output)))).join("\n");
  const causes = bad.length === 0 ? [] : await baseCauses({ repository, base: project, packages, output });
  const told = causes.find(({ isSaid }) => isSaid) ?? null;
  const compared: PackageCompared[] = [];
  for (const part of parts) compared.push(await compareOne({ host, wish, project, part, told }));
  return {
    commit,
    unusable: verdict.type === "unusable" ? verdict.why : null,
    causes: causes.map(({ what, help }) => ({ what, help })),
    packages: compared,
  };
}

interface Comparing {
  readonly host: OpenHost;
  readonly wish: CompareWish;
  readonly project: Project;
  readonly part: PackageBaseline;
  readonly told: { readonly what: string; readonly help: string } | null;
}

async function compareOne({ host, wish, project, part, told }: Comparing): Promise<PackageCompared> {
  const { one, suite, files } = part;
  const manifest = `${one.prefix}package.json`;
  const packageJson = (await project.texts([manifest])).get(manifest) ?? null;
  wish.progress?.("running your own test command");
  const own = await ownTests({
    repository: host.repository,
    one,
    packageJson,
    env: host.host.env,
    node: host.host.node,
    timeoutMs: wish.settings.deadlines.testMs,
    signal: wish.signal,
  });
  const proof = resultsOf(suite.report.tests, one.found.name);
  const found =
    own.tests === null
      ? []
      : differences({
          own: own.tests,
          proof,
          files: new Set(files),
          committed: new Set(project.files.keys()),
          unloaded: new Map(suite.report.loadErrors.map(({ file, message }) => [file, message])),
          surroundings: told === null ? null : `${told.what}: ${told.help}`,
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

/** cargo names no file where its user runs it, so a test is compared by its name there. */
function resultsOf(tests: readonly TestResult[], runner: string): ReadonlyMap<string, TestResult["status"]> {
  const name = (id: string) => (runner === "cargo" ? id.split("::").slice(1).join("::") : id);
  return new Map(tests.map(({ id, status }) => [name(id), status]));
}
