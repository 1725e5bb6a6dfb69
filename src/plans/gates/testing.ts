/** `envoy plan block-prompt-testing-gate`: a person tests the implementation by hand. */
import * as z from "zod";
import { AppError } from "../../lib/errors.ts";
import { refuseDecided } from "../prompt/change-prompt.ts";
import { judgePrompt } from "../judge.ts";
import type { PlanLocation } from "../find-plan.ts";
import { readPrompt, type PlanPrompt } from "../prompt/prompt.ts";
import { idText, type PromptId } from "../prompt/prompt-id.ts";
import { gateSchema, joinParagraphs, OptionalText, type PlanGate } from "./gate.ts";
import { logExcerpt } from "./logs.ts";
import { howToAnswer, promptComments } from "./prompt-comments.ts";
import { typedFields } from "./settle.ts";
import { waitAtGate, type GateOptions } from "./wait.ts";
import { readSubject } from "./subject.ts";

interface TestingAnswer {
  readonly test_passed: boolean | null;
  readonly user_required_changes: string;
}

const schema = gateSchema({
  test_passed: z.boolean("must be true or false").nullable(),
  user_required_changes: OptionalText,
});

export async function blockTestingGate(plan: PlanLocation, id: PromptId, options: GateOptions) {
  refuseStatus(await readPrompt(plan, id));
  const gate = await testingGate(plan, id);
  const { answer, duration_ms } = await waitAtGate(gate, options);
  const { thoughts, test_passed, user_required_changes } = typedFields(gate, answer);
  const hasChanges = user_required_changes.trim() !== "";
  return {
    thoughts,
    passed: test_passed === true,
    // Protocols use either name.
    ...(hasChanges && { user_required_changes, refinements: user_required_changes }),
    ...(await logExcerpt(options.payloads, { ref: answer.logs, tokens: options.logTokens })),
    duration_ms,
  };
}

export async function testingGate(plan: PlanLocation, id: PromptId): Promise<PlanGate<TestingAnswer>> {
  const prompt = await readPrompt(plan, id);
  refuseDecided(prompt);
  const { shown, work } = await readSubject(plan, prompt);
  const name = `${idText(id)}_testing`;
  return {
    name,
    plan,
    title: `Testing of prompt ${idText(id)}`,
    shown,
    comments: [
      "Please test this by hand and report whether it passed.",
      "",
      ...promptComments(plan, prompt, work),
      "test_passed: true, or false with the required changes. There is no default.",
      `Paste logs, if any, into ${name}_logs.md beside this file.`,
      ...howToAnswer(name, ["test_passed=true"]),
    ],
    blank: { test_passed: null, user_required_changes: "" },
    schema,
    logsHead: [`Paste logs of prompt ${idText(id)} below this comment.`],
    async judge({ fields, logs }) {
      refuseDecided(await readPrompt(plan, id));
      const changes = fields.user_required_changes.trim();
      if (fields.test_passed === null)
        return { field: "test_passed", message: "no decision: write true or false" };
      if (fields.test_passed && changes !== "")
        return {
          field: "user_required_changes",
          message: "test_passed is true, so no change can be required; use thoughts, or test_passed: false",
        };
      if (!fields.test_passed && joinParagraphs(changes, fields.thoughts, logs) === "")
        return { field: "user_required_changes", message: "describe the required changes, or paste logs" };
      return null;
    },
    words: ({ test_passed, user_required_changes, thoughts }) =>
      joinParagraphs(
        test_passed === true ? "The test passed." : "The test did not pass.",
        user_required_changes,
        thoughts,
      ),
    async apply({ id: answer, shown: judged, logs }, { test_passed, user_required_changes, thoughts }) {
      const given = joinParagraphs(user_required_changes, thoughts);
      const text = given === "" && logs !== null ? `The test failed; see the logs ${logs}` : given;
      const iteration = judged.iteration ?? undefined;
      await judgePrompt(plan, id, {
        source: "testing",
        passed: test_passed === true,
        text,
        tree: judged.tree,
        answer,
        ...(iteration !== undefined && { iteration }),
      });
    },
  };
}

/** A tested prompt may be tested again, for another tree or with `--again`. */
function refuseStatus({ id, fields: { status } }: PlanPrompt): void {
  if (status === "implemented" || status === "reviewed" || status === "tested") return;
  throw new AppError("invalid_status", `prompt ${idText(id)} is ${status}: there is nothing to test`, {
    hint: "envoy plan record-implementation comes first",
  });
}
