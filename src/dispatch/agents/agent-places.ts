import type { Settings } from "../../config/settings.ts";
import type { Host } from "../../run/context.ts";

export interface AgentPlaces {
  readonly settings: Settings;
  /** Relative cassettes and programs lie here. */
  readonly cwd: string;
  readonly host: Host;
  /** The state home. */
  readonly home: string;
}
