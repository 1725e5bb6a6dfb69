import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newFolder } from "../../../test/support/folder.ts";
import { createRepository } from "../../../test/support/repository.ts";
import { environment, programPath } from "../../config/env.ts";
import { openRepository, type Repository } from "../repository.ts";
import { readRef, updateRef } from "../refs.ts";
import { dropUnpushed, pushRefs, takeRefs, type SharedRefs } from "./shared-refs.ts";

const work = "refs/heads/mettle/r1/work";

/** A bare remote with one commit, and two clones of it. */
async function world() {
  const origin = await createRepository({ files: { "a.txt": "a" } });
  const remote = join(newFolder(), "remote.git");
  await origin.git("clone", "-q", "--bare", origin.dir, remote);
  const clone = async (): Promise<Repository> => {
    const dir = join(newFolder(), "clone");
    await origin.git("clone", "-q", remote, dir);
    return openRepository(dir, { path: programPath(), user: environment() });
  };
  const commits: string[] = [];
  for (const name of ["one", "two", "three"]) {
    await writeFile(join(origin.dir, "a.txt"), name);
    await origin.git("commit", "-qam", name);
    commits.push((await origin.git("rev-parse", "HEAD")).trim());
  }
  const [one = "", two = "", three = ""] = commits;
  await origin.git("push", "-q", remote, `${three}:refs/heads/main`);
  const base: SharedRefs = {
    remote,
    login: environment(),
    prefixes: ["refs/heads/mettle/r1/", "refs/mettle/runs/r1/"],
  };
  const [here, there] = [await clone(), await clone()];
  return { here, there, shared: base, remote, one, two, three, origin };
}

const at = (repository: Repository, ref = work) => readRef(repository, ref);

test("what one host pushes, another takes, and only what moved is pushed", async () => {
  const { here, there, shared, one, two } = await world();
  await updateRef(here, { ref: work, to: one, from: null });
  await updateRef(here, { ref: "refs/mettle/runs/r1/made", to: two, from: null });
  await updateRef(here, { ref: "refs/mettle/runs/r2/made", to: two, from: null });
  expect(await pushRefs(here, shared)).toEqual([]);
  await takeRefs(there, shared);
  expect([await at(there), await at(there, "refs/mettle/runs/r1/made")]).toEqual([one, two]);
  expect(await at(there, "refs/mettle/runs/r2/made")).toBeNull();
  expect(await pushRefs(there, shared)).toEqual([]);
  await updateRef(there, { ref: work, to: two, from: one });
  expect(await pushRefs(there, shared)).toEqual([]);
  await takeRefs(here, shared);
  expect(await at(here)).toBe(two);
});

test("a ref that both moved stays the one's that pushed first (SCL-05)", async () => {
  const { here, there, shared, one, two, three } = await world();
  await updateRef(here, { ref: work, to: one, from: null });
  await pushRefs(here, shared);
  await takeRefs(there, shared);
  await updateRef(there, { ref: work, to: two, from: one });
  await updateRef(here, { ref: work, to: three, from: one });
  await updateRef(here, { ref: "refs/mettle/runs/r1/made", to: three, from: null });
  expect(await pushRefs(there, shared)).toEqual([]);
  // Nothing of the later one is pushed, not even what nobody else has.
  expect(await pushRefs(here, shared)).toEqual([work]);
  await takeRefs(there, shared);
  expect([await at(there), await at(there, "refs/mettle/runs/r1/made")]).toEqual([two, null]);
});

test("a ref that was moved here and not pushed is not taken back", async () => {
  const { here, there, shared, one, two, three } = await world();
  await updateRef(here, { ref: work, to: one, from: null });
  await pushRefs(here, shared);
  await takeRefs(there, shared);
  await updateRef(there, { ref: work, to: two, from: one });
  await pushRefs(there, shared);
  await updateRef(here, { ref: work, to: three, from: one });
  await takeRefs(here, shared);
  expect(await at(here)).toBe(three);
  expect(await pushRefs(here, shared)).toEqual([work]);
});

test("a remote that refuses the push, or is gone, is said with its words", async () => {
  const { here, shared, remote, one } = await world();
  await mkdir(join(remote, "hooks"), { recursive: true });
  await writeFile(join(remote, "hooks", "pre-receive"), "#!/bin/sh\necho no pushes on Sundays >&2\nexit 1\n");
  await chmod(join(remote, "hooks", "pre-receive"), 0o755);
  await updateRef(here, { ref: work, to: one, from: null });
  await expect(pushRefs(here, shared)).rejects.toMatchObject({
    code: "remote_failed",
    message: expect.stringContaining("no pushes on Sundays") as string,
  });
  const gone = { ...shared, remote: join(newFolder(), "gone.git") };
  await expect(takeRefs(here, gone)).rejects.toMatchObject({ code: "remote_failed" });
});

test("what was moved here and never pushed is dropped, so that the remote's is taken", async () => {
  const { here, there, shared, one, two, three } = await world();
  const plan = "refs/mettle/runs/r1/plan";
  await updateRef(there, { ref: plan, to: one, from: null });
  await dropUnpushed(there, [plan]);
  expect(await at(there, plan)).toBeNull();
  await updateRef(here, { ref: plan, to: one, from: null });
  await pushRefs(here, shared);
  await takeRefs(there, shared);
  await updateRef(there, { ref: plan, to: two, from: one });
  await pushRefs(there, shared);
  await updateRef(here, { ref: plan, to: three, from: one });
  await takeRefs(here, shared);
  expect(await at(here, plan)).toBe(three);
  await dropUnpushed(here, [plan]);
  expect(await at(here, plan)).toBe(one);
  await takeRefs(here, shared);
  expect(await at(here, plan)).toBe(two);
});
