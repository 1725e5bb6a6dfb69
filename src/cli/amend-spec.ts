/** `mettle answer RUN --spec FILE`: an amended spec answers the question of the root node (V3-67, 93). */
import { root } from "../kernel/frames.ts";
import { respecify } from "../families/graph/spec/respecify.ts";
import { answerRun } from "./answer-run.ts";
import type { CliResult, Io } from "./command.ts";
import { specFrom } from "./read-spec.ts";

interface SpecAmendment {
  readonly given: string;
  readonly file: string;
  /** The person's comment on the change. */
  readonly words: readonly string[];
}

export async function amendSpec(io: Io, { given, file, words }: SpecAmendment): Promise<CliResult> {
  return answerRun({
    io,
    given,
    wants: ({ as, answers, frame }) => as === "waiting" && answers.includes("answer") && frame === root,
    async say(context, _ask, by) {
      const fact = await respecify(context, await specFrom(context, io.cwd, file), by);
      const text = words.length === 0 ? "the spec was amended" : words.join(" ");
      return { outcome: "answer", text, facts: [fact] };
    },
  });
}
