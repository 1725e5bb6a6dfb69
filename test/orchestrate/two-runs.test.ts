/** Two unfinished runs in one repository, driven in turns phase by phase, each with documents of its own. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { sha256 } from "../../src/lib/hash.ts";
import type { Recorded } from "../../src/kernel/run-event.ts";
import { verifies } from "../verifies.ts";
import { driveWatched, untilComplete } from "./watched.ts";
import { createWorld, golden, type CassetteFile, type Driven, type World } from "./world.ts";

const readers = ["planner", "claude", "tester"] as const;
const names = ["spec", "architecture", "plan-review"] as const;

describe("two runs in one repository", () => {
  let world: World;
  let runs: readonly string[];
  let ended: readonly Driven[];
  beforeAll(async () => {
    world = await createWorld();
    // Both choose a folder at the same moment.
    runs = await Promise.all(["one", "two"].map(async (word) => world.start(await documented(word))));
    for (const phase of ["1 INTAKE", "2 PLANNING", "3 PLAN_DUAL_REVIEW"])
      for (const run of runs) await driveWatched(world, run, { on: untilComplete(phase) });
    ended = await Promise.all(runs.map((run) => driveWatched(world, run, { on: untilTested })));
  }, 120_000);
  afterAll(() => world.remove());

  verifies(
    "ORC-93",
    "do not mix: each shows its documents in a folder of its own, and its agents read those",
    async () => {
      const folders = ended.map(({ context }) => context.started.folder);
      const plain = folders.indexOf(".claude/temp");
      expect([0, 1]).toContain(plain);
      expect(folders[1 - plain]).toBe(`.claude/temp/${runs[1 - plain]}`);

      const known = ended.map(({ context }) =>
        names.map((name) => context.session.view.documents[name]?.ref),
      );
      expect(new Set(known.flat()).size).toBe(6);
      for (const [index, folder] of folders.entries()) {
        const shown = names.map((name) => readFile(join(world.repository.dir, folder, `${name}.md`)));
        expect((await Promise.all(shown)).map((bytes) => sha256(bytes))).toEqual(known[index]);
      }

      for (const [index, word] of ["one", "two"].entries()) {
        const [spec, architecture] = known[index] ?? [];
        expect(await seenBy(word, "planner")).toEqual([`spec.md ${spec}`]);
        for (const role of ["claude", "tester"])
          expect(await seenBy(word, role)).toEqual([`architecture.md ${architecture}`, `spec.md ${spec}`]);
      }
    },
  );

  /** The golden cassette with a word of its own in every document; each reader writes down what it found. */
  async function documented(word: string): Promise<CassetteFile> {
    const text = JSON.stringify(await golden());
    const cassette = JSON.parse(
      text
        .replaceAll("# slugify\\n", `# slugify ${word}\\n`)
        .replaceAll("# Architecture\\n", `# Architecture ${word}\\n`),
    ) as CassetteFile;
    const [review] = cassette.roles.claude;
    for (const step of review?.does ?? []) {
      const write = step["write"] as { content: string } | undefined;
      if (write) write.content = write.content.replace("SUGGESTIONS: none", `SUGGESTIONS:\n- ${word}`);
    }
    for (const role of readers) {
      const file = logOf(word, role);
      cassette.roles[role][0]?.does?.unshift({ shell: `cd .claude/temp && sha256sum *.md > ${file}` });
    }
    return cassette;
  }

  function logOf(word: string, role: string): string {
    return join(world.home, `${word}-${role}.log`);
  }

  async function seenBy(word: string, role: string): Promise<readonly string[]> {
    const lines = (await readFile(logOf(word, role), "utf8")).trimEnd().split("\n");
    return lines.map((line) => line.replace(/^(\w+) +(.*)$/u, "$2 sha256:$1"));
  }
});

function untilTested(event: Recorded): "stop" | void {
  if (event.type === "result" && event.key.startsWith("red#")) return "stop";
}
