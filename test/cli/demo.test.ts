/**
 * The demo on a machine with only node and git: an empty home, no repository, no sandbox, no settings, and no network if this
 * machine can create such a namespace.
 * @module-tag ci
 */
import { readFile, readdir, realpath, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { parseExecutionBlock } from "../support/parse-block.ts";
import { newFolder } from "../support/folder.ts";
import { verifies, verifiesWhen } from "../verifies.ts";
import { canUnshare, emptyPlace, type EmptyPlace } from "./empty-place.ts";
import type { CallResult } from "./stage.ts";

interface DemoRun extends CallResult {
  readonly ms: number;
  /** Files in the given folders after the demo. */
  readonly left: readonly string[];
}

/** The note that no agent was confined (fault L5). */
const unconfined = "note: sandbox: off, so no agent is confined; records say isolation: none\n";

describe("mettle demo", () => {
  let place: EmptyPlace;
  let honest: DemoRun;
  let cheat: DemoRun;
  let counter: string;
  let gitCalls: number;
  beforeAll(async () => {
    place = await emptyPlace();
    counter = newFolder();
    await countGit();
    honest = await play();
    gitCalls = (await readFile(join(counter, "calls"), "utf8")).length;
    cheat = await play("--cheat");
  }, 150_000);

  /** Installs a git that appends one byte to a file for each call. */
  async function countGit(): Promise<void> {
    const git = join(place.folder, "bin/git");
    const real = await realpath(git);
    await rm(git);
    const script = `#!/bin/sh\nprintf . >> ${join(counter, "calls")}\nexec ${real} "$@"\n`;
    await writeFile(git, script, { mode: 0o755 });
  }

  async function play(...flags: readonly string[]): Promise<DemoRun> {
    const began = Date.now();
    const called = await place.call(["demo", ...flags], { env: { METTLE_SANDBOX: "off" } });
    const left = await readdir(place.folder, { recursive: true });
    return { ...called, ms: Date.now() - began, left };
  }

  verifies(
    "CORE-83",
    "goes from RED to a verified result in a minute, with answers marked as the demo's",
    () => {
      expect([honest.code, honest.stderr]).toEqual([0, unconfined]);
      expect(honest.ms).toBeLessThan(60_000);
      // Columns and wrapped lines as one blank each.
      const stdout = honest.stdout.replaceAll(/\s+/gu, " ");
      const inOrder = [
        "so no key and no network is needed",
        "[Orc.Phase1_INTAKE] [Gemini: 0/3] [Claude: 0/3] [Exec: UNPROVEN] [Exit: PENDING] [Status: in_progress]",
        "✓ 1 INTAKE intake (scripted)",
        "✓ 4 USER_GATE_PLAN you",
        "approved by the demo",
        "✓ 5 TDD_RED tester (scripted)",
        "5 tests fail as they should",
        "✗ 7 TDD_GREEN coder (scripted)",
        "refused, attempt 1 of 5",
        "required tests: 1 failed: test/slugify.test.js::EC2 drops separators at both ends",
        'UNVERIFIED claim "Tests pass", retracted',
        "[Orc.Phase7_TDD_GREEN] [Gemini: 1/3] [Claude: 1/3] [Exec: PROVEN] [Exit: 1] [Status: in_progress]",
        "✓ 7 TDD_GREEN coder (scripted)",
        "5 required tests pass, attempt 2 of 5",
        "✓ 9 USER_GATE_CODE you",
        "✓ 10 SUMMARY mettle",
        "TLDR Task: Add slugify(text)",
        "✓ ORCHESTRATION COMPLETE",
      ];
      const places = inOrder.map((text) => stdout.indexOf(text));
      expect(
        places.filter((place) => place === -1),
        stdout,
      ).toEqual([]);
      expect(places).toEqual([...places].sort((a, b) => a - b));
      expect(parseExecutionBlock(honest.stdout.slice(honest.stdout.lastIndexOf("TLDR")))).toMatchObject({
        exit: "0",
      });
    },
  );

  // Of these, 12 are for the checkouts in which mutants are tried.
  test("starts git at most 80 times, and at least once for each of its 12 workspaces", () => {
    expect(gitCalls).toBeGreaterThan(12);
    expect(gitCalls).toBeLessThanOrEqual(80);
  });

  verifiesWhen(
    canUnshare,
    "no network namespace can be made here (unshare --user --net)",
    "CORE-99",
    "works without a network, and its process connects to nothing",
    () => {
      // The trap throws an error at every connection.
      for (const { stdout, stderr } of [honest, cheat]) expect(`${stdout}${stderr}`).not.toContain("error[");
      expect([honest.code, cheat.code]).toEqual([0, 1]);
    },
  );

  verifies(
    "CORE-83",
    "refuses the cheat, names the change and the evidence, and never reports success",
    () => {
      expect([cheat.code, cheat.stderr]).toEqual([1, unconfined]);
      expect(cheat.ms).toBeLessThan(60_000);
      const refusal =
        "frozen: these files are read-only in GREEN, restore them: changed test/slugify.test.js";
      expect(cheat.stdout).toContain('The implementer claimed:\n  "Fixed"  -> UNVERIFIED, retracted\n');
      expect(cheat.stdout).toContain(`What Mettle found:\n  ${refusal}\n`);
      expect(cheat.stdout).toMatch(
        /^Evidence: record \w+\/\d+ \(fail, EXIT_CODE 1\); the refused work is kept at refs\/mettle\/rescue\/\w+\/green-2$/mu,
      );
      expect(cheat.stdout.trimEnd().split("\n").at(-1)).toBe(`✗ NOT DONE: refused: ${refusal}`);
      expect(cheat.stdout).not.toContain("ORCHESTRATION COMPLETE");
    },
  );

  verifies("CORE-83", "leaves no files in the home, the temporary folder or the current folder", () => {
    const nothing = ["bin", "bin/git", "bin/node", "home", "temporary"];
    expect([...honest.left].sort()).toEqual(nothing);
    expect([...cheat.left].sort()).toEqual(nothing);
  });
});
