/** Parses the task that a person typed: the keyword, the requested protocol, and the task itself (ORC-01 to 05). */
import { fencesOf } from "../../lib/markdown.ts";
import { AppError } from "../../lib/errors.ts";

export interface Trigger {
  readonly protocol: string;
  readonly task: string;
  /** Printed once if the keyword is in a place where it starts nothing. */
  readonly hint: string | null;
  /** Nothing in the call names the protocol. */
  readonly isUsual: boolean;
}

const keyword = /^[@/]orchestrate(?=\s|$)/u;
export const keywordHint = "begin a line with @orchestrate or /orchestrate to start";

/** The request to a session that starts a run (ORC-08, ORC-70). */
export const planModeText =
  "Phases 1 to 3 are plan mode: call EnterPlanMode now. Mettle writes the documents and starts the reviewers itself, so everything goes on there. Ask its clarifying questions with AskUserQuestion. Call ExitPlanMode in Phase 4, when Mettle asks for it.";

/**
 * Without a keyword and an option the task goes to the protocol of the settings (SEE-10). A keyword elsewhere than at the
 * start of a line starts nothing (ORC-03).
 * @param protocolOption value of --protocol, or null
 * @param usual the protocol of the settings
 * @throws AppError `usage`, `empty_task` or `protocol_conflict`
 */
export function readTrigger(text: string, protocolOption: string | null, usual: string): Trigger {
  const found = findKeyword(text);
  if (found === null) {
    const task = unquote(text.trim());
    if (task === "") throw emptyTask();
    const mentioned = /[@/]orchestrate\b/u.test(text) && protocolOption !== "orchestrate";
    if (protocolOption === null && mentioned)
      throw new AppError("usage", "the keyword is not at the start of a line, so nothing was started", {
        hint: keywordHint,
      });
    const hint = mentioned ? keywordHint : null;
    return { protocol: protocolOption ?? usual, task, hint, isUsual: protocolOption === null };
  }
  if (protocolOption !== null && protocolOption !== "orchestrate")
    throw new AppError(
      "protocol_conflict",
      `the keyword asks for orchestrate, --protocol for ${protocolOption}`,
      {
        hint: "leave one of the two out",
      },
    );
  if (found === "") throw emptyTask();
  return { protocol: "orchestrate", task: found, hint: null, isUsual: false };
}

/** The task after a keyword that is the first word of a line outside code fences; null without one. */
export function findKeyword(text: string): string | null {
  const lines = text.split("\n");
  const fences = fencesOf(lines);
  for (const [index, line] of lines.entries()) {
    if (fences[index]?.role !== null || !keyword.test(line)) continue;
    const rest = [line.replace(keyword, ""), ...lines.slice(index + 1)].join("\n");
    return unquote(rest.trim());
  }
  return null;
}

function unquote(task: string): string {
  return /^"([\s\S]*)"$/u.exec(task)?.[1]?.trim() ?? /^'([\s\S]*)'$/u.exec(task)?.[1]?.trim() ?? task;
}

function emptyTask(): AppError {
  return new AppError("empty_task", "there is no task", {
    hint: `say what to build: mettle run 'Build a login page'`,
  });
}
