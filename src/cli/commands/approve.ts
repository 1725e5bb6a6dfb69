import type { CommandHandler } from "../command.ts";
import { answerRun } from "../answer-run.ts";

export const run: CommandHandler = async (io, given) => {
  const run = given.text("run");
  const gate = given.text("gate");
  if (gate !== null) {
    const { acceptReviewHere } = await import("../accept-review.ts");
    return acceptReviewHere(io, {
      id: run ?? "",
      gate,
      reason: given.text("reason") ?? "",
    });
  }
  return answerRun({
    io,
    given: run,
    wants: (ask) => ask.answers.includes("approve"),
    say: async () => ({ outcome: "approve" }),
  });
};
