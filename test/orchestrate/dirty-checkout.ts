/** A person's checkout with changes in each state that git knows, and what a run must not touch in it. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { World } from "./world.ts";

export async function makeDirty({ repository }: World): Promise<void> {
  await repository.write({ "README.md": "stashed\n" });
  await repository.git("stash");
  await repository.write({ "README.md": "edited\n", "note.txt": "mine\n", "staged.txt": "staged\n" });
  await repository.git("add", "staged.txt");
}

/** Everything in the person's checkout that a run must not touch. */
export async function fingerprint({ repository }: World): Promise<string> {
  const git = (...args: readonly string[]) => repository.git(...args);
  const parts = [
    await git("symbolic-ref", "HEAD"),
    await git("rev-parse", "HEAD"),
    await git("ls-files", "--stage"),
    await git("stash", "list", "--format=%H"),
    await git("status", "--porcelain", "--", ".", ":!.claude"),
    ...(await Promise.all(
      ["README.md", "note.txt", "staged.txt"].map((name) => readFile(join(repository.dir, name), "utf8")),
    )),
  ];
  return createHash("sha256").update(parts.join("\0")).digest("hex");
}
