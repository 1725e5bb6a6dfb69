/** `mettle gate NAME`: one gate of the protocols over two commits. Needs no run, and changes nothing. */
import { AppError } from "../../lib/errors.ts";
import { gateNames } from "../../runtime/gate/judge.ts";
import type { CliCommand } from "../command.ts";
import { answerGate, defineRevisions } from "../gate-options.ts";

export const command: CliCommand = {
  define: (line) =>
    void defineRevisions(line.argument("<gate>", gateNames.join(", ")))
      .option("--red <rev>", "green, final: the commit of the tests (default: found by its trailers)")
      .option("--planned <file...>", "red: source files that are to come; stubs stand in for them"),
  async run(io, [given = ""], options) {
    const gate = gateNames.find((name) => name === given);
    if (gate === undefined)
      throw new AppError("usage", `there is no gate ${given}`, { hint: `gates: ${gateNames.join(", ")}` });
    return answerGate(io, gate, options);
  },
};
