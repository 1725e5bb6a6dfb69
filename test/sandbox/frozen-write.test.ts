/** A coder that writes into a frozen test in the sandbox: its program gives up there, and the run says why. */
import { describe, expect, test } from "vitest";
import { lastWords } from "../../src/agents/program.ts";
import { createWorld, eventsOf, golden } from "../orchestrate/world.ts";
import { confinesHere } from "./bubblewrap.ts";

test("of a crash the error is kept, not the version below it (fault R13)", () => {
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
  expect(lastWords(Buffer.from(crash))).toBe("Error: EROFS: read-only file system, open '/w/test/a.test.js'");
  expect(lastWords(Buffer.from("Traceback\n  File x\nOSError: [Errno 30] Read-only file system\n"))).toBe(
    "OSError: [Errno 30] Read-only file system",
  );
  expect(lastWords(Buffer.from("Node.js v20.20.2"))).toBe("Node.js v20.20.2");
});

describe.skipIf(!confinesHere())("a confined coder (SKIPPED without bubblewrap)", () => {
  test("that writes a frozen test is told of it by name (fault R13)", { timeout: 120_000 }, async () => {
    const world = await createWorld(undefined, { METTLE_SANDBOX: "required" });
    try {
      const cassette = await golden();
      cassette.roles.coder[0]?.does?.push({ write: { path: "test/slugify.test.js", content: "" } });
      const { events } = await world.go(cassette);
      const said = eventsOf(events, "result").find(({ outcome }) => outcome === "EX");
      expect(said?.text).toMatch(
        /^it tried to change test\/slugify\.test\.js, which is frozen with the tests; if a test is wrong/u,
      );
      expect(said?.text).not.toContain("Node.js v");
    } finally {
      await world.remove();
    }
  });
});
