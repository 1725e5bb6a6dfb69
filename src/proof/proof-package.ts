import type { PathRules } from "../source/paths.ts";
import type { Surroundings } from "./execute/surroundings.ts";
import type { BaselineCache, ProofPorts } from "./ports.ts";
import type { Package } from "./project/packages.ts";
import type { Project } from "./project/project.ts";

export interface ProofPackage extends Package {
  /** The runner's configuration that the base commit has, from the package's folder. */
  readonly config: string | null;
  /** As the base commit has them. */
  readonly surroundings: Surroundings;
}

export interface ProofSetting {
  readonly ports: ProofPorts;
  readonly cache: BaselineCache;
  readonly rules: PathRules;
  readonly base: Project;
  /** Those whose tests this proof runs. */
  readonly packages: readonly ProofPackage[];
}
