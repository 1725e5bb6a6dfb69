/** What must be the same in the journals of two runs with the same answers, whoever was the Main Thread. */
import type { Recorded } from "../../src/log/run-event.ts";
import { withoutRandom } from "../orchestrate/history.ts";

/** Replaces every name that differs from run to run by its place of first mention. */
export function comparable(events: readonly Recorded[]): readonly unknown[] {
  const names = new Map<string, string>();
  const named = (text: string): string => {
    const name = names.get(text) ?? `#${names.size + 1}`;
    names.set(text, name);
    return name;
  };
  return events
    .filter(({ type }) => !ofProcess.includes(type))
    .map((event) => JSON.parse(JSON.stringify(sameInBoth(event)).replace(changing, named)) as unknown);
}

/** Output and cost of an agent's own process, which a session does not report. */
const ofProcess: readonly string[] = ["agent.said", "agent.used"];

/** Hashes, records, and dialogue names with their times. */
const changing =
  /(?:sha256:)?[0-9a-f]{64}|\b[0-9a-f]{40}\b|\b\d{8}T\d{9}Z|(?:PLAN|TDD)_\d{8}T\d{9}Z|(?<=["(])[a-z0-9]{6}(?=\/\d+[")])|(?<=\/(?:runs|rescue)\/)[a-z0-9]{6}(?=\/)/gu;

/** Without time, front end, and agents' places. */
function sameInBoth(event: Recorded): object {
  const played = [
    "repository",
    "reviewers",
    "dirty",
    "agents",
    "agent",
    "vendor",
    "conversation",
    "resumed",
    "workspace",
    "isolation",
    "channel",
  ];
  const out = new Set(["seq", "at", "front", "before", ...played]);
  return Object.fromEntries(Object.entries(withoutRandom(event)).filter(([name]) => !out.has(name)));
}
