/** The commands of `envoy plan`. */
import type { EnvoyCommand } from "../../command.ts";

export const plan: readonly EnvoyCommand[] = [
  {
    name: "plan init",
    summary: "create the plan of the feature branch",
    inputs: [],
    load: () => import("./init.ts"),
  },
];
