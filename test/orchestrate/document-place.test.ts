/** The paths of a run's documents in the user's checkout: other files in their place are never opened or followed. */
import { execFileSync } from "node:child_process";
import { lstat, mkdir, readFile, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { createWorld, golden, untestedFiles, answerOnly, type World } from "./world.ts";

let world: World;
beforeEach(async () => void (world = await createWorld(await untestedFiles())));

test("pipes and links in place of documents stop no run and are not followed (fault S7)", async () => {
  const folder = join(world.repository.dir, ".claude/temp");
  const victim = join(world.home, "victim");
  await writeFile(victim, "mine");
  await mkdir(folder, { recursive: true });
  execFileSync("mkfifo", [join(folder, "spec.md")]);
  await symlink(victim, join(folder, "spec.md.part"));
  await world.go(await golden(), answerOnly("questions"));
  for (const name of ["spec.md", "architecture.md", ".gitignore"])
    expect((await lstat(join(folder, name))).isFile(), name).toBe(true);
  expect(await readFile(victim, "utf8")).toBe("mine");
});

test.each([".claude", ".claude/temp"])(
  "a link in place of %s is refused before anything of a run exists",
  { tags: "ci" },
  async (place) => {
    const elsewhere = join(world.home, "elsewhere");
    await mkdir(elsewhere);
    if (place !== ".claude") await mkdir(join(world.repository.dir, ".claude"));
    await symlink(elsewhere, join(world.repository.dir, place));
    await expect(world.start(await golden())).rejects.toMatchObject({
      code: "state_unwritable",
      message: `${place} is a link or a file, and the documents of a run lie in .claude/temp`,
    });
    await world.repository.commit();
    await expect(world.start(await golden())).rejects.toMatchObject({ code: "state_unwritable" });
    expect(await readdir(elsewhere)).toEqual([]);
  },
);
