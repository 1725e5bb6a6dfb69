import type { CliCommand } from "../command.ts";
import { answerRun } from "../answer-run.ts";

export const command: CliCommand = {
  define: (line) =>
    line
      .argument("[run]", "id of the run (default: the one that waits for it), or a prompt of envoy: 1_A")
      .option("--gate <gate>", "of a prompt: review, where no reviewer could be heard")
      .option("--reason <reason>", "why the prompt is accepted as it is now"),
  run: async (io, [given], { gate, reason }) => {
    if (typeof gate === "string") {
      const { acceptReviewHere } = await import("../accept-review.ts");
      return acceptReviewHere(io, {
        id: given ?? "",
        gate,
        reason: typeof reason === "string" ? reason : "",
      });
    }
    return answerRun({
      io,
      given,
      wants: (ask) => ask.answers.includes("approve"),
      say: async () => ({ outcome: "approve" }),
    });
  },
};
