/**
 * `mettle demo --protocol riper|dptr` with only node and git: a whole run, compared with its golden journal.
 * @module-tag ci
 */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect } from "vitest";
import { canUnshare, emptyPlace, type EmptyPlace } from "../cli/empty-place.ts";
import type { CallResult } from "../cli/stage.ts";
import { verifies, verifiesWhen } from "../verifies.ts";
import { samples } from "../wide.ts";

describe.each(samples(["dptr", "riper"] as const))("mettle demo --protocol %s", (protocol) => {
  let place: EmptyPlace;
  let demo: CallResult;
  let log: readonly string[];
  beforeAll(async () => {
    place = await emptyPlace();
    demo = await place.call(["demo", "--protocol", protocol, "--keep", "--json"]);
    const temporary = join(place.folder, "temporary");
    const [kept = ""] = await readdir(temporary);
    const inside = join(temporary, kept);
    const { run } = JSON.parse(demo.stdout) as { run: string };
    const told = await place.call(["log", run, "--json"], {
      cwd: join(inside, "words"),
      env: { METTLE_HOME: join(inside, "state") },
    });
    const { events } = JSON.parse(told.stdout) as { events: { text: string }[] };
    log = events.map(({ text }) => withoutIds(text, run));
  }, 240_000);

  verifiesWhen(
    canUnshare,
    "no network namespace can be made here (unshare --user --net)",
    "TDP-67",
    `${protocol} is taken to its end without key, network or server, and its journal is the golden one`,
    async () => {
      expect(demo.code, demo.stderr).toBe(0);
      await expect(`${log.join("\n")}\n`).toMatchFileSnapshot(`golden/${protocol}.txt`);
    },
  );

  verifies(
    ["TDP-01", "TDP-66"],
    `${protocol} goes through its modes in their order and ends complete, exit 0`,
    () => {
      expect(demo.code).toBe(0);
      expect(JSON.parse(demo.stdout)).toMatchObject({
        version: 1,
        protocol,
        outcome: "complete",
        mode: "Ω₆ⱽ",
        failing: null,
        cycles: [
          { cycle: 1, method: "slugify()", status: "done" },
          { cycle: 2, method: "initials()", status: "done" },
        ],
      });
      const modes = log.flatMap((text) => modeOf(text) ?? []);
      expect(modes.filter((mode, index) => mode !== modes[index - 1])).toEqual([
        "Ω₁ᴾ",
        "Ω₂ᴬ",
        "Ω₃ᴾ",
        "Ω₄ᶜ",
        "Ω₅ᵀ",
        "Ω₆ⱽ",
      ]);
    },
  );
});

/** The mode of a dispatch line: QA and DE work in Ω₅ᵀ. */
function modeOf(text: string): string | null {
  const agent = /^(Ω..|QA|DE)\[/u.exec(text)?.[1];
  if (agent === undefined) return null;
  return agent.startsWith("Ω") ? agent : "Ω₅ᵀ";
}

/** Without ids, times, commits and hashes. */
function withoutIds(text: string, run: string): string {
  return text
    .replaceAll(run, "RUN")
    .replaceAll(/\d{8}T\d{9}Z/gu, "TIME")
    .replaceAll(/\b[0-9a-f]{12,64}\b/gu, "HASH")
    .replaceAll(/[\d.]+ m?s\b/gu, "DURATION");
}
