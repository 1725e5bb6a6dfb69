/**
 * The demo as somebody meets it who has nothing but node and git: an empty home, no repository, no sandbox, no settings, and
 * no network, where this machine can make one without.
 */
import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { parseExecutionBlock } from "../../src/views/execution-block.ts";
import { packageRoot } from "../../src/config/package-root.ts";
import { verifies, verifiesWhen } from "../verifies.ts";
import { callProgram, type Called } from "./stage.ts";

const trap = packageRoot("test/support/trap-connect.mjs");
const placeOf = (name: string) =>
  spawnSync("/bin/sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).stdout.trim();
const withoutNetwork = [placeOf("unshare"), "--user", "--map-root-user", "--net"];
const canUnshare = spawnSync("/bin/sh", ["-c", `${withoutNetwork.join(" ")} true`]).status === 0;

interface Played extends Called {
  readonly ms: number;
  /** What lies in the folders that it was given, afterwards. */
  readonly left: readonly string[];
}

describe("mettle demo", () => {
  let folder = "";
  let honest: Played;
  let cheat: Played;
  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), "mettle-nothing-")));
    for (const name of ["home", "temporary", "bin"]) await mkdir(join(folder, name));
    await symlink(process.execPath, join(folder, "bin", "node"));
    await symlink(await realpath(placeOf("git")), join(folder, "bin", "git"));
    honest = await play();
    cheat = await play("--cheat");
  }, 150_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function play(...flags: readonly string[]): Promise<Played> {
    const [home, temporary, bin] = ["home", "temporary", "bin"].map((name) => join(folder, name));
    const began = Date.now();
    const called = await callProgram(["demo", ...flags], {
      cwd: home ?? "",
      env: { PATH: bin ?? "", HOME: home ?? "", TMPDIR: temporary ?? "", METTLE_SANDBOX: "off" },
      ...(canUnshare && { through: withoutNetwork, node: ["--import", trap] }),
    });
    return { ...called, ms: Date.now() - began, left: await readdir(folder, { recursive: true }) };
  }

  verifies(
    "CORE-83",
    "goes from RED to a verified result in a minute, with answers that are marked as its own",
    () => {
      expect([honest.code, honest.stderr]).toEqual([0, ""]);
      expect(honest.ms).toBeLessThan(60_000);
      const { stdout } = honest;
      const inOrder = [
        "so no key and no network is needed",
        "questions#1 -> answered by the demo (demo)",
        "user_gate_plan#1 -> approve by the demo (demo)",
        "[Orc.Phase5_TDD_RED] [Gemini: 1/3] [Claude: 1/3] [Exec: PROVEN] [Exit: 0] [Status: complete]",
        'UNVERIFIED claim "Tests pass", retracted',
        "required tests: 1 failed: test/slugify.test.js::EC2 drops separators at both ends",
        "[Orc.Phase7_TDD_GREEN] [Gemini: 1/3] [Claude: 1/3] [Exec: PROVEN] [Exit: 0] [Status: complete]",
        "user_gate_code#1 -> approve by the demo (demo)",
        "TLDR\nTask: Add slugify(text)",
        "✓ ORCHESTRATION COMPLETE",
      ];
      const places = inOrder.map((text) => stdout.indexOf(text));
      expect(
        places.filter((place) => place === -1),
        stdout,
      ).toEqual([]);
      expect(places).toEqual([...places].sort((a, b) => a - b));
      expect(parseExecutionBlock(stdout.slice(stdout.lastIndexOf("TLDR")))).toMatchObject({ exit: "0" });
    },
  );

  verifiesWhen(
    canUnshare,
    "no network namespace can be made here (unshare --user --net)",
    "CORE-99",
    "plays where there is no network, and its process connects to nothing",
    () => {
      // The trap throws at every connection, and what it throws is an error.
      for (const { stdout, stderr } of [honest, cheat]) expect(`${stdout}${stderr}`).not.toContain("error[");
      expect([honest.code, cheat.code]).toEqual([0, 1]);
    },
  );

  verifies(
    "CORE-83",
    "refuses the cheat, names what it did and the evidence, and never says that it is done",
    () => {
      expect([cheat.code, cheat.stderr]).toEqual([1, ""]);
      expect(cheat.ms).toBeLessThan(60_000);
      const refusal =
        "frozen: these files are read-only in GREEN, put them back as they were: changed test/slugify.test.js";
      expect(cheat.stdout).toContain('The implementer said:\n  "Fixed"  -> UNVERIFIED, retracted\n');
      expect(cheat.stdout).toContain(`What Mettle found:\n  ${refusal}\n`);
      expect(cheat.stdout).toMatch(
        /^Evidence: record \w+\/\d+ \(fail, EXIT_CODE 1\); the refused work is kept at refs\/mettle\/rescue\/\w+\/green-2$/mu,
      );
      expect(cheat.stdout.trimEnd().split("\n").at(-1)).toBe(`✗ NOT DONE: refused: ${refusal}`);
      expect(cheat.stdout).not.toContain("ORCHESTRATION COMPLETE");
    },
  );

  verifies(
    "CORE-83",
    "leaves nothing behind, in the home, in the folder for temporary files or where it was called",
    () => {
      const nothing = ["bin", "bin/git", "bin/node", "home", "temporary"];
      expect([...honest.left].sort()).toEqual(nothing);
      expect([...cheat.left].sort()).toEqual(nothing);
    },
  );
});
