/** The Code Quality report of GitLab, which it shows as annotations of a merge request. */
import { sha256 } from "../../lib/hash.ts";
import { annotationsOf } from "./annotations.ts";
import { anyPath, type Report } from "./outcomes.ts";

export function codeQualityReport({ answer }: Report): readonly object[] {
  return annotationsOf(answer).map(({ name, level, text, place }) => {
    const path = place?.path ?? anyPath(answer);
    return {
      description: text,
      check_name: `mettle/${name}`,
      fingerprint: sha256([name, path, text].join("\n")).replace("sha256:", ""),
      severity: { error: "blocker", warning: "minor", notice: "info" }[level],
      location: { path, lines: { begin: place?.line ?? 1 } },
    };
  });
}
