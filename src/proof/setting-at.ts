/** The setting of every proof: the packages at one commit, each with its runner as configured by the base commit. */
import { affectedPackages } from "./affected-packages.ts";
import { packagesOf } from "./project/packages.ts";
import type { Project } from "./project/project.ts";
import type { ProofRequest } from "./proof.ts";
import type { ProofSetting } from "./proof-package.ts";
import { proofSetting } from "./setting.ts";

export interface SettingRequest extends Pick<ProofRequest, "ports" | "cache" | "settings"> {
  readonly base: Project;
  /** The commit in which to detect packages and runners. */
  readonly at: Project;
  /** Only the packages that these paths can affect; default all. */
  readonly touched?: readonly string[];
}

export async function settingAt({
  ports,
  cache,
  settings,
  base,
  at,
  touched,
}: SettingRequest): Promise<ProofSetting> {
  const all = await packagesOf(ports.repository, at, settings);
  const packages = touched === undefined ? all : await affectedPackages(all, at, touched);
  return proofSetting({ ports, cache, rules: settings.paths, base, packages });
}

/** The same packages and runners, configured by another commit. */
export function settingOn(setting: ProofSetting, base: Project): Promise<ProofSetting> {
  return proofSetting({ ...setting, base });
}
