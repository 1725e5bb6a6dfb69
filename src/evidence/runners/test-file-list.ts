/** Parses a list of test files, written by an asset of Mettle or printed by a runner. */
import * as z from "zod";
import { projectPath } from "../project-path.ts";
import type { TestFileList, ListOutput } from "../runner.ts";
import { reportValue } from "./report-json.ts";

const List = z.object({ files: z.array(z.string()), patterns: z.array(z.string()) });

/** The assets' format: `{"files": [...], "patterns": [...]}`. Drops files outside the project. */
export function readList({ report, project }: Pick<ListOutput, "report" | "project">): TestFileList | null {
  const parsed = List.safeParse(reportValue(report ?? ""));
  if (!parsed.success) return null;
  const { files, patterns } = parsed.data;
  return { files: filesIn(project, files), patterns };
}

export function filesIn(project: string, files: readonly string[]): readonly string[] {
  return [...new Set(files.flatMap((file) => projectPath(file, project) ?? []))];
}
