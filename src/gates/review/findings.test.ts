import { expect, test } from "vitest";
import { findingsText, openFindings, trackFindings, type TrackedFinding } from "./findings.ts";

function round(previous: readonly TrackedFinding[], ...issues: readonly string[]) {
  return trackFindings({ previous, given: [{ reviewer: "gemini", issues }] });
}

test("a finding keeps its id over three rounds and is marked new, open, fixed or regression", () => {
  const first = round([], "No limit for the input size", "EC1 has no test", "The name `sum` is misleading");
  expect(first).toEqual([
    { id: "gemini-1", text: "No limit for the input size", status: "new" },
    { id: "gemini-2", text: "EC1 has no test", status: "new" },
    { id: "gemini-3", text: "The name `sum` is misleading", status: "new" },
  ]);
  const second = round(first, "[gemini-1] still no limit", "Secrets are logged", "No limit");
  expect(second).toEqual([
    { id: "gemini-1", text: "No limit for the input size", status: "open" },
    { id: "gemini-2", text: "EC1 has no test", status: "fixed" },
    { id: "gemini-3", text: "The name `sum` is misleading", status: "fixed" },
    { id: "gemini-4", text: "Secrets are logged", status: "new" },
    { id: "gemini-5", text: "No limit", status: "new" },
  ]);
  const third = round(second, "EC1 has no test!", "secrets are logged");
  expect(third.map(({ id, status }) => `${id} ${status}`)).toEqual([
    "gemini-1 fixed",
    "gemini-2 regression",
    "gemini-3 fixed",
    "gemini-4 open",
    "gemini-5 fixed",
  ]);
});

test("each reviewer has its own findings, and a reviewer without verdict keeps them", () => {
  const first = trackFindings({
    previous: [],
    given: [
      { reviewer: "gemini", issues: ["Too slow"] },
      { reviewer: "claude", issues: ["Too slow", "Unclear name"] },
    ],
  });
  const second = trackFindings({
    previous: first,
    given: [{ reviewer: "claude", issues: ["Unclear name"] }],
  });
  expect(second.map(({ id, status }) => `${id} ${status}`)).toEqual([
    "gemini-1 new",
    "claude-1 fixed",
    "claude-2 open",
  ]);
  expect(findingsText(second, "claude")).toBe("- [claude-2] Unclear name");
  expect(findingsText(second, "gemini")).toBe("- [gemini-1] Too slow");
  expect(openFindings(second).map(({ id }) => id)).toEqual(["gemini-1", "claude-2"]);
});

test("another line number is the same finding, another subject is not", () => {
  const first = round([], "src/a.js:12 does not check its input", "FR1 has no test for negative numbers");
  expect(
    round(first, "src/a.js:90 does not check its input", "FR2 has no test for negative numbers").map(
      ({ id, status }) => `${id} ${status}`,
    ),
  ).toEqual(["gemini-1 open", "gemini-2 fixed", "gemini-3 new"]);
  expect(round(first, "src/b.js:12 does not check its input").at(-1)).toEqual({
    id: "gemini-3",
    text: "src/b.js:12 does not check its input",
    status: "new",
  });
});

test("the same issue twice in one round is one finding, and an unknown id is a new one", () => {
  expect(round([], "Too slow", "too slow.", "[gemini-9] [tests] EC1 is missing")).toEqual([
    { id: "gemini-1", text: "Too slow", status: "new" },
    { id: "gemini-2", text: "[tests] EC1 is missing", status: "new" },
  ]);
});
