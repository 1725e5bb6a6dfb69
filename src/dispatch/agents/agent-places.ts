import type { Settings } from "../../config/settings.ts";
import type { Host } from "../../run/context.ts";

export interface AgentPlaces {
  readonly settings: Settings;
  /** Relative paths of cassettes and programs start here. */
  readonly cwd: string;
  readonly host: Host;
  /** The state home. */
  readonly home: string;
}
