/** Output without what differs from call to call: ids, hashes, times, durations, processes, folders and the names of persons. */
import { canonicalJson } from "../../src/lib/hash.ts";

interface Place {
  readonly host: { readonly dir: string; readonly home: string };
  readonly runs: readonly string[];
}

/** @returns its lines; of JSON those of the indented text */
export function plainLines(text: string, { host, runs }: Place): readonly string[] {
  const named = runs.reduce(
    (now, run, index) => (run === "" ? now : now.replaceAll(run, `RUN${index + 1}`)),
    text,
  );
  const plain = named
    .replaceAll(host.dir, "REPOSITORY")
    .replaceAll(host.home, "HOME")
    .replace(/\S*\/mettle-test-\w+\/cassette\.yaml/gu, "CASSETTE")
    .replace(/(?:sha256:)?\b[0-9a-f]{64}\b/gu, "HASH")
    .replace(/\b[0-9a-f]{40}\b/gu, "COMMIT")
    .replace(/\d{4}-\d{2}-\d{2}[T ][\d:.]+Z/gu, "TIME")
    .replace(/\b\d{2}:\d{2}:\d{2}\b/gu, "CLOCK")
    .replace(/ *\b[\d.]+ ?(?:ms|s|min)\b/gu, " DURATION")
    .replace(/"(\w*ms)":\d+/gu, '"$1":"DURATION"')
    .replace(/[\w.-]+ \((file|page)\b/gu, "PERSON ($1")
    .replace(/\b[0-9a-f]{7,12}\b/gu, "COMMIT");
  return indented(plain)
    .split("\n")
    .map((line) => line.replace(/ +│$/u, "│"));
}

function indented(text: string): string {
  if (!text.startsWith("{")) return text;
  // Only the records of a shared store have several signers. Reviewers end in any order.
  const { signed: _, ...body } = JSON.parse(text) as Record<string, unknown>;
  return JSON.stringify(JSON.parse(canonicalJson(body)), null, 1).replaceAll("\\n", "\n");
}
