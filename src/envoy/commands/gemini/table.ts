/** The commands of `envoy gemini`. Any agent may have the role of the reviewer. */
import { promptNumber, variant, type EnvoyCommand } from "../../command.ts";

export const gemini: readonly EnvoyCommand[] = [
  {
    name: "gemini review",
    summary: "have the reviewer agent review the work on a prompt",
    inputs: [promptNumber, variant],
    load: () => import("./review.ts"),
  },
];
