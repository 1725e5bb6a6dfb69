import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { newFolder } from "../../test/support/folder.ts";
import { createRepository } from "../../test/support/repository.ts";
import { verifies } from "../../test/verifies.ts";
import { environment, programPath } from "../config/env.ts";
import { readRef, updateRef } from "../git/refs.ts";
import { openRepository } from "../git/repository.ts";
import { takeRunRefs, type SharedRun } from "../run/run-remote.ts";
import { givenUp, pushMade } from "./push-made.ts";

const branch = "refs/heads/mettle/r1/node";
const made = "refs/mettle/runs/r1/red-1";

verifies(
  "SCL-04",
  "a branch that another host moved first is given up, which each job of the clone sees, and the rest is pushed",
  async () => {
    const origin = await createRepository({ files: { "a.txt": "a" } });
    const remote = join(newFolder(), "remote.git");
    await origin.git("clone", "-q", "--bare", origin.dir, remote);
    const commitOf = async (text: string) => {
      await writeFile(join(origin.dir, "a.txt"), text);
      await origin.git("commit", "-qam", text);
      await origin.git("push", "-q", remote, `HEAD:refs/heads/${text}`);
      return (await origin.git("rev-parse", "HEAD")).trim();
    };
    const [one, two, three] = [await commitOf("one"), await commitOf("two"), await commitOf("three")];
    const hostOf = async (): Promise<SharedRun> => {
      const dir = join(newFolder(), "clone");
      await origin.git("clone", "-q", remote, dir);
      const repository = await openRepository(dir, { path: programPath(), user: environment() });
      return { run: "r1", repository, started: { workers: { remote } }, host: { env: environment() } };
    };
    const [here, there] = [await hostOf(), await hostOf()];
    await updateRef(here.repository, { ref: branch, to: one, from: null });
    await pushMade(here);
    await takeRunRefs(there);
    await updateRef(there.repository, { ref: branch, to: two, from: one });
    await pushMade(there);
    expect(givenUp(here)).toBe(0);
    // One job here moves the branch, another one pushes.
    await updateRef(here.repository, { ref: branch, to: three, from: one });
    await updateRef(here.repository, { ref: made, to: three, from: null });
    await pushMade(here);
    expect(givenUp(here)).toBe(1);
    expect(await readRef(here.repository, branch)).toBe(two);
    await takeRunRefs(there);
    expect(await readRef(there.repository, branch)).toBe(two);
    expect(await readRef(there.repository, made)).toBe(three);
    await pushMade(here);
    expect(givenUp(here)).toBe(1);
  },
);
