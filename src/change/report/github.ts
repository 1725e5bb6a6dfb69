/** Workflow commands of GitHub Actions: annotations, and a guard for text that could contain commands. */
import { newId } from "../../lib/ids.ts";
import type { GateAnswer } from "../answer.ts";
import { annotationsOf, type Annotation } from "./annotations.ts";
import { readableText } from "./readable.ts";

/** GitHub shows ten errors, ten warnings and ten notices of a step. */
const maxOfLevel = 10;

export function githubAnnotations(answer: GateAnswer): readonly string[] {
  const all = annotationsOf(answer);
  return (["error", "warning", "notice"] as const).flatMap((level) =>
    all
      .filter((one) => one.level === level)
      .slice(0, maxOfLevel)
      .map(annotationLine),
  );
}

export function annotationLine({ level, title, text, place }: Omit<Annotation, "name">): string {
  const properties = {
    ...(place === null ? {} : { file: place.path }),
    ...(place === null || place.line === null ? {} : { line: String(place.line) }),
    title: `Mettle: ${title}`,
  };
  const list = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(value)}`);
  return `::${level} ${list.join(",")}::${escapeData(readableText(text, 4000))}`;
}

/** Names of tests come from the change: a line of them must not be a command. */
export function withoutCommands(text: string): string {
  const token = newId(24);
  return `::stop-commands::${token}\n${text}\n::${token}::`;
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
