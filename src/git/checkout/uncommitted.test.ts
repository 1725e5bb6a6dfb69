import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createRepository } from "../../../test/support/repository.ts";
import { openRepository } from "../repository.ts";
import { checkoutStatus } from "./uncommitted.ts";

test("one status says what differs and what is ignored, an ignored folder by its name alone", async () => {
  const repo = await createRepository({ files: { ".gitignore": "dist\n*.log\n", "src/a.js": "1", b: "1" } });

  await mkdir(join(repo.dir, "dist/deep"), { recursive: true });
  for (const path of ["dist/deep/out.js", "src/run.log", "src/new.js", "b"])
    await writeFile(join(repo.dir, path), "2");
  const repository = await openRepository(repo.dir, { path: process.env["PATH"] ?? "" });
  expect(await checkoutStatus(repository)).toEqual({
    changed: ["b", "src/new.js"],
    ignored: ["dist", "src/run.log"],
  });
});
