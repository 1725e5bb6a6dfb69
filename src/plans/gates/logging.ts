/** `envoy plan block-debugging-logging-gate`: a person runs the program with temporary log statements and pastes the logs. */
import { openRepository } from "../../git/repository.ts";
import { AppError } from "../../lib/errors.ts";
import { stripControls } from "../../lib/text.ts";
import { refuseDecided } from "../prompt/change-prompt.ts";
import { findDebugLogs } from "../debug-logs/cleanup.ts";
import type { PlanLocation } from "../find-plan.ts";
import { readPrompt } from "../prompt/prompt.ts";
import { idText, type PromptId } from "../prompt/prompt-id.ts";
import type { WorktreeState } from "../worktree/work.ts";
import { gateSchema, type PlanGate } from "./gate.ts";
import { logExcerpt } from "./logs.ts";
import { howToAnswer, promptComments } from "./prompt-comments.ts";
import { typedFields } from "./settle.ts";
import { readSubject } from "./subject.ts";
import { waitAtGate, type GateOptions } from "./wait.ts";

const schema = gateSchema({});

export async function blockLoggingGate(plan: PlanLocation, id: PromptId, options: GateOptions) {
  const gate = await loggingGate(plan, id);
  const { answer, duration_ms } = await waitAtGate(gate, options);
  return {
    thoughts: typedFields(gate, answer).thoughts,
    logs: "",
    ...(await logExcerpt(options.payloads, { ref: answer.logs, tokens: options.logTokens })),
    duration_ms,
  };
}

export async function loggingGate(plan: PlanLocation, id: PromptId): Promise<PlanGate> {
  const prompt = await readPrompt(plan, id);
  if (prompt.fields.kind !== "debug")
    throw new AppError("not_debug", `prompt ${idText(id)} is not a debug prompt, so it has no logs`, {
      hint: "only prompts that were written with --debug have this gate",
    });
  refuseDecided(prompt);
  const { shown, work } = await readSubject(plan, prompt);
  const name = `${idText(id)}_logging`;
  const markers = await markerComments(plan, work);
  return {
    name,
    plan,
    title: `Logs of prompt ${idText(id)}`,
    shown,
    comments: [
      "Please run this with its temporary log statements, and paste the logs.",
      "",
      ...markers,
      "",
      ...promptComments(plan, prompt, work),
      `Paste the logs into ${name}_logs.md beside this file.`,
      ...howToAnswer(name, ["logs=@FILE"]),
    ],
    blank: {},
    schema,
    logsHead: [...markers, "", `Paste the logs of prompt ${idText(id)} below this comment.`],
    judge: async () => {
      refuseDecided(await readPrompt(plan, id));
      return null;
    },
    words: ({ thoughts }) => thoughts.trim(),
    // The waiting agent gets the logs; the plan does not change.
    apply: async () => {},
  };
}

async function markerComments(
  { repository }: PlanLocation,
  { path }: WorktreeState,
): Promise<readonly string[]> {
  if (path === null) return ["There is no worktree to search for [DEBUG-TEMP] markers."];
  const { files, unrecognized } = await findDebugLogs(await openRepository(path, repository));
  const places = files.flatMap(({ path: file, removals }) => removals.map(({ first }) => `${file}:${first}`));
  const lines =
    places.length === 0
      ? ["There is no [DEBUG-TEMP] marker in the worktree."]
      : ["[DEBUG-TEMP] markers:", ...places.map((place) => `  ${place}`)];
  const others = unrecognized.length === 0 ? [] : [`Not recognized as markers: ${unrecognized.join(", ")}`];
  return [...lines, ...others].map(stripControls);
}
