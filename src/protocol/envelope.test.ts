import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { envelopeOf } from "./envelope.ts";
import { load } from "./fixtures/sources.ts";
import { allSpots } from "./levels.ts";

const readme = readFileSync(new URL("../../protocols/graph/README.md", import.meta.url), "utf8");
const rows = readme
  .split("\n")
  .map((line) => line.split("|").map((cell) => cell.trim()))
  .filter(([, , type = ""]) => /^[A-Z][A-Z_]+$/u.test(type))
  .map(([, exit, type, severity, hint]) => ({ exit, type, severity, hint }));

test("the README of the graph has every exit with the envelope that routing sees", () => {
  const node = load("graph").machines["node"];
  const exits = new Set(
    (node ? allSpots(node) : []).flatMap(({ state }) => (state.kind === "dispatch" ? state.reports : [])),
  );
  // EN is the error of every protocol; TDD's answer to TI stands below the table.
  for (const other of ["EN", "TestsReady.stands"]) exits.delete(other);
  expect(rows.map(({ exit }) => exit).toSorted()).toEqual([...exits].toSorted());
  for (const { exit = "", type, severity, hint } of rows)
    expect(envelopeOf({ outcome: exit, payload: "sha256:1" })).toEqual({
      type,
      severity,
      route_hint: hint,
      payload_ref: "sha256:1",
    });
});

test("an envelope has the payload's address, the hint that was settled before, and the children that follow", () => {
  expect(envelopeOf({ outcome: "BlockedDependency", payload: "sha256:abc" })).toEqual({
    type: "BLOCKED_DEPENDENCY",
    severity: "BLOCKER",
    route_hint: "check_sibling_exports",
    payload_ref: "sha256:abc",
  });
  expect(envelopeOf({ outcome: "TestsReady.stands" })).toMatchObject({
    type: "TESTS_READY",
    route_hint: "stands",
    payload_ref: null,
  });
  const items = [{ id: "db", hash: "1" }];
  expect(envelopeOf({ outcome: "InitWork", payload: "sha256:1", items })).toMatchObject({
    type: "INIT_WORK",
    items,
  });
  for (const outcome of ["pass", "TO", "answer", "constructor", ""])
    expect(envelopeOf({ outcome })).toBe(null);
});
