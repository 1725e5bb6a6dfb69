/**
 * A coder that writes a frozen test in the sandbox: its program crashes, and the run reports why.
 * @module-tag ci
 */
import { describe, expect, test } from "vitest";
import { lastErrorLine } from "../../src/agents/program.ts";
import { createWorld, eventsOf, golden } from "../orchestrate/world.ts";
import { confinesHere } from "./bubblewrap.ts";

test("the error of a crash is kept, not the version line below it (fault R13)", () => {
  const crash = [
    "node:fs:573",
    "  return binding.open(",
    "",
    "Error: EROFS: read-only file system, open '/w/test/a.test.js'",
    "    at Object.openSync (node:fs:573:18) {",
    "  errno: -30",
    "}",
    "",
    "Node.js v20.20.2",
    "",
  ].join("\n");
  expect(lastErrorLine(Buffer.from(crash))).toBe(
    "Error: EROFS: read-only file system, open '/w/test/a.test.js'",
  );
  expect(lastErrorLine(Buffer.from("Traceback\n  File x\nOSError: [Errno 30] Read-only file system\n"))).toBe(
    "OSError: [Errno 30] Read-only file system",
  );
  expect(lastErrorLine(Buffer.from("Node.js v20.20.2"))).toBe("Node.js v20.20.2");
});

describe.skipIf(!confinesHere())("a confined coder (SKIPPED without bubblewrap)", () => {
  test("that writes a frozen test is refused by the gate and continues (fault R13)", async () => {
    const world = await createWorld(undefined, { METTLE_SANDBOX: "required" });

    const cassette = await golden();
    const [right] = cassette.roles.coder;
    const cheats = {
      ...right,
      does: [...(right?.does ?? []), { write: { path: "test/slugify.test.js", content: "" } }],
    };
    cassette.roles.coder = [cheats, { ...right, expects: ["these files are read-only in GREEN"] }];
    const { events, end } = await world.go(cassette);
    expect(end).toMatchObject({ type: "ended", outcome: "complete" });
    const results = eventsOf(events, "result");
    expect(results.filter(({ outcome }) => outcome === "EX")).toEqual([]);
    const [tried] = results.filter(({ outcome }) => outcome === "GC");
    expect(tried?.text).toMatch(
      /^it tried to change test\/slugify\.test\.js, which is frozen with the tests; if a test is wrong/u,
    );
    expect(tried?.text).not.toContain("Node.js v");
    const judged = eventsOf(events, "gate.judged").filter(({ gate }) => gate === "green");
    expect(judged.map(({ verdict }) => verdict)).toEqual(["fail", "pass"]);
    expect(judged[0]?.reasons).toEqual([
      "frozen: these files are read-only in GREEN, restore them: tried to change test/slugify.test.js",
    ]);
  });
});
