import type { PathRules } from "../source/paths.ts";
import type { TestSetup } from "./execute/test-setup.ts";
import type { BaselineCache, ProofPorts } from "./ports.ts";
import type { Package } from "./project/packages.ts";
import type { Project } from "./project/project.ts";

export interface ProofPackage extends Package {
  /** The runner's configuration in the base commit, relative to the package. */
  readonly config: string | null;
  /** As in the base commit. */
  readonly setup: TestSetup;
}

export interface ProofSetting {
  readonly ports: ProofPorts;
  readonly cache: BaselineCache;
  readonly rules: PathRules;
  readonly base: Project;
  /** The packages whose tests this proof runs. */
  readonly packages: readonly ProofPackage[];
}
