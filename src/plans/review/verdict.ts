/** Parses the reply of a reviewer strictly: a malformed reply is inconclusive, never a pass. */
import { parseJson } from "../../lib/json.ts";
import { fencesOf } from "../../lib/markdown.ts";
import * as z from "zod";

export type ReviewVerdict =
  | {
      readonly type: "verdict";
      readonly verdict: "passed" | "failed";
      readonly thoughts: string;
      readonly questions: readonly string[];
      /** Not empty if the verdict is `failed`. */
      readonly suggested_changes: string;
    }
  | { readonly type: "inconclusive"; readonly why: string };

const Text = z
  .string()
  .nullish()
  .transform((text) => text ?? "");
const Changes = z
  .union([Text, z.array(z.string()).transform((items) => items.map((item) => `- ${item}`).join("\n"))])
  .transform((text) => text.trim());
const Answer = z.strictObject({
  verdict: z.enum(["passed", "failed"]),
  thoughts: Text,
  questions: z
    .array(z.string())
    .nullish()
    .transform((questions) => (questions ?? []).map((one) => one.trim()).filter((one) => one !== "")),
  suggested_changes: Changes,
});

export function readVerdict(reply: string): ReviewVerdict {
  const text = withoutFence(reply.trim());
  if (text === "") return inconclusive("the reply is empty");
  // A parser would take the last of two values with the same name.
  if ((text.match(/(?<!\\)"verdict"\s*:/gu) ?? []).length > 1)
    return inconclusive("the reply has more than one verdict");
  const parsed = Answer.safeParse(parseJson(text));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const at = issue === undefined || issue.path.length === 0 ? "the reply" : issue.path.join(".");
    return inconclusive(`${at} does not have the required format: ${excerpt(text)}`);
  }
  const { verdict, thoughts, questions, suggested_changes } = parsed.data;
  if (questions.length > 0 || suggested_changes !== "")
    return {
      type: "verdict",
      verdict: suggested_changes === "" ? verdict : "failed",
      thoughts,
      questions,
      suggested_changes,
    };
  if (verdict === "failed") return inconclusive("the verdict is failed, without suggested_changes");
  return { type: "verdict", verdict, thoughts, questions, suggested_changes };
}

/** Joins the verdicts on the parts of one diff: each part has to pass. */
export function joinVerdicts(verdicts: readonly ReviewVerdict[]): ReviewVerdict {
  const unclear = verdicts.find((one) => one.type === "inconclusive");
  if (unclear !== undefined) return unclear;
  const read = verdicts.flatMap((one) => (one.type === "verdict" ? [one] : []));
  if (read.length === 0) return inconclusive("nothing was reviewed");
  const text = (parts: readonly string[]) => parts.filter((part) => part.trim() !== "").join("\n\n");
  return {
    type: "verdict",
    verdict: read.every(({ verdict }) => verdict === "passed") ? "passed" : "failed",
    thoughts: text(read.map(({ thoughts }) => thoughts)),
    questions: [...new Set(read.flatMap(({ questions }) => questions))],
    suggested_changes: text(read.map((one) => one.suggested_changes)),
  };
}

/** Removes a code fence around the whole reply. */
function withoutFence(text: string): string {
  const lines = text.split("\n");
  const fences = fencesOf(lines);
  const isAround =
    /^(?:json)?$/iu.test(fences[0]?.info ?? "") &&
    fences[0]?.role === "opens" &&
    fences.findIndex(({ role }) => role === "closes") === lines.length - 1;
  return isAround ? lines.slice(1, -1).join("\n").trim() : text;
}

function inconclusive(why: string): ReviewVerdict {
  return { type: "inconclusive", why };
}

function excerpt(text: string): string {
  const line = text.replaceAll(/\s+/gu, " ");
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
}
