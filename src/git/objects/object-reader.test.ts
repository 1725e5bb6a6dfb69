import { execFileSync } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, expect, test } from "vitest";
import { createRepository, type TempRepository } from "../../../test/support/repository.ts";
import { findObjects, readObjects } from "./object-reader.ts";
import { openRepository, type Repository } from "../repository.ts";
import { inCi } from "../../../test/verifies.ts";

const path = process.env["PATH"] ?? "";
const large = Buffer.alloc(3_000_000, "large\n");
let repo: TempRepository;
let repository: Repository;
beforeEach(async () => {
  repo = await createRepository({ files: { a: "1", empty: "", large, "b c": "x missing\n" } });
  repository = await openRepository(repo.dir, { path });
});

test("ids, refs and names are found in their order, with their content where it is wanted", async () => {
  const head = await repo.git("rev-parse", "HEAD");
  const names = ["HEAD:large", "HEAD:a", "refs/heads/none", "HEAD:empty", "HEAD:b c", "0".repeat(40), "a\nb"];
  const found = await readObjects(repository, names);
  expect(found.map((one) => one?.content.toString())).toEqual([
    large.toString(),
    "1",
    undefined,
    "",
    "x missing\n",
    undefined,
    undefined,
  ]);
  const ids = await findObjects(repository, ["refs/heads/main", "HEAD^{tree}", "refs/heads/none", "HEAD:a"]);
  expect(ids.map((one) => one && [one.id, one.type])).toEqual([
    [head, "commit"],
    [await repo.git("rev-parse", "HEAD^{tree}"), "tree"],
    null,
    [await repo.git("rev-parse", "HEAD:a"), "blob"],
  ]);
  expect(ids.map((one) => one?.content.length)).toEqual([0, 0, undefined, 0]);
});

test("many questions at once, of both kinds, are answered each with its own", async () => {
  const asked = Array.from({ length: 200 }, (_, at) =>
    at % 2 === 0 ? findObjects(repository, ["HEAD:a"]) : readObjects(repository, ["HEAD:b c"]),
  );
  const texts = (await Promise.all(asked)).map(([one]) => one?.content.toString());
  expect(new Set(texts.filter((_text, at) => at % 2 === 0))).toEqual(new Set([""]));
  expect(new Set(texts.filter((_text, at) => at % 2 === 1))).toEqual(new Set(["x missing\n"]));
});

inCi("what others make, move, pack and delete meanwhile is seen at once", async () => {
  const ref = "refs/heads/main";
  for (const number of [1, 2, 3]) {
    await repo.write({ a: `new ${number}` });
    const commit = await repo.commit();
    if (number > 1) await repo.git("gc", "--quiet", "--prune=now");
    expect((await findObjects(repository, [ref]))[0]?.id).toBe(commit);
    expect((await readObjects(repository, [`${commit}:a`]))[0]?.content.toString()).toBe(`new ${number}`);
  }
  await repo.git("tag", "gone");
  expect((await findObjects(repository, ["refs/tags/gone"]))[0]).not.toBeNull();
  await repo.git("tag", "-d", "gone");
  expect(await findObjects(repository, ["refs/tags/gone"])).toEqual([null]);
});

test("a git that is not there, or ends, is an error, and the next question starts another", async () => {
  await expect(findObjects({ ...repository, path: "/nowhere" }, ["HEAD"])).rejects.toMatchObject({
    code: "git_missing",
  });
  await rm(join(repo.dir, ".git/HEAD"));
  const none = { ...repository, path: `${path}:` };
  await expect(findObjects(none, ["HEAD"])).rejects.toMatchObject({ code: "git_failed" });
  await repo.write({ ".git/HEAD": "ref: refs/heads/main\n" });
  expect(await findObjects(none, ["HEAD"])).toHaveLength(1);
});

test("it keeps no process alive, and ends with the one that asked", async () => {
  const reader = fileURLToPath(new URL("../../../dist/lib/git/objects/object-reader.js", import.meta.url));
  const script = `
    const { findObjects } = await import(${JSON.stringify(reader)});
    const repository = { path: process.env.PATH, gitDir: ${JSON.stringify(repository.gitDir)} };
    const [found] = await findObjects(repository, ["HEAD"]);
    console.log(found.type);`;
  const began = Date.now();
  const options = { encoding: "utf8", timeout: 20_000 } as const;
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", script], options);
  expect(output).toBe("commit\n");
  expect(Date.now() - began).toBeLessThan(9_500);
});
