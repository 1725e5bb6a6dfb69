import type { ReviewCode, ReviewPlace } from "../../source/review/review-places.ts";
import type { Finding } from "../verdict.ts";

const reasons: Readonly<Record<ReviewCode, string>> = {
  ignore_marks: "keeps a tool from looking at the change",
  starts_program: "starts another program: see that it does not compute the answer",
  swallowed_errors: "turns every error into a default: see that a test asks for it",
  reads_caller: "reads the frames of its callers: see that it takes no expected value from there",
};

export function reviewFindings(places: readonly ReviewPlace[]): readonly Finding[] {
  return places.map(({ code, path, line, text }) => ({
    code,
    severity: "finding",
    message: `${path}:${line}: \`${text}\` ${reasons[code]}`,
    path,
  }));
}
