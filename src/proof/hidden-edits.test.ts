import { mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { failedChecks } from "../../test/support/failed-checks.ts";
import { newFolder } from "../../test/support/folder.ts";
import { proofProject, type ProofProject } from "../../test/proof-project.ts";
import { verifies, verifiesInCi } from "../../test/verifies.ts";
import { commitTree } from "../git/objects/commit.ts";
import { snapshot } from "../git/objects/snapshot.ts";
import { addWorktree } from "../git/worktree/worktree.ts";

const imports = 'import test from "node:test";\nimport assert from "node:assert/strict";\n';
const frozenTest = `${imports}import { add } from "../src/add.js";\ntest("FR1 adds", () => assert.equal(add(1, 2), 3));\n`;
const edited = `${imports}test("FR1 adds", () => assert.ok(true));\n`;
const path = "tests/add.test.js";
const old = "tests/old.test.js";

interface Trick {
  /** Works in the workspace of the author of the source. */
  readonly hide: (workspace: string, git: Git) => Promise<unknown>;
  /** After the commit, with the ids of the edited and the frozen test. */
  readonly after?: (git: Git, edited: string, frozen: string) => Promise<unknown>;
  /** Whether plain git does not see the edit then; default true. */
  readonly deceives?: boolean;
  /** What the check names. */
  readonly named?: string;
}
type Git = (...args: string[]) => Promise<string>;

const edit = (workspace: string) => writeFile(join(workspace, path), edited);

const tricks: Readonly<Record<string, Trick>> = {
  "git replace": {
    hide: edit,
    after: (git, now, before) => git("replace", now, before),
  },
  "assume-unchanged": {
    hide: async (workspace, git) => {
      await git("update-index", "--assume-unchanged", path);
      await edit(workspace);
    },
  },
  "skip-worktree": {
    hide: async (workspace, git) => {
      await git("update-index", "--skip-worktree", path);
      await edit(workspace);
    },
  },
  "a filter": {
    hide: edit,
    after: async (git, _now, before) => {
      await git("config", "filter.keep.smudge", `git cat-file blob ${before}`);
      await git("config", "filter.keep.clean", `git cat-file blob ${before}`);
      const info = join(await git("rev-parse", "--path-format=absolute", "--git-common-dir"), "info");
      await mkdir(info, { recursive: true });
      await writeFile(join(info, "attributes"), `${path} filter=keep\n`);
    },
  },
  "a deleted test": {
    hide: (workspace) => rm(join(workspace, old)),
    deceives: false,
    named: `deleted ${old}`,
  },
  "a renamed test": {
    hide: (workspace) => rename(join(workspace, old), join(workspace, "tests/old.js")),
    deceives: false,
    named: `deleted ${old} (now tests/old.js), added tests/old.js`,
  },
  "a link that leaves the tree": {
    hide: async (workspace) => {
      const outside = join(newFolder(), "add.test.js");
      await writeFile(outside, edited);
      await rm(join(workspace, path));
      await symlink(outside, join(workspace, path));
    },
    deceives: false,
  },
};

async function judged({ hide, after, deceives = true }: Trick) {
  const project: ProofProject = await proofProject({
    "package.json": '{ "type": "module" }\n',
    "src/old.js": "export const old = () => 1;\n",
    [old]: `${imports}import { old } from "../src/old.js";\ntest("old works", () => assert.equal(old(), 1));\n`,
  });
  const { repository, repo } = project;
  const red = await project.commitOn(project.base, { [path]: frozenTest });
  const workspace = await addWorktree(repository, { path: join(newFolder(), "w"), commit: red });
  const git: Git = (...args) => repo.git("-C", workspace, ...args);
  await hide(workspace, git);
  const status = await git("status", "--porcelain");
  await mkdir(join(workspace, "src"), { recursive: true });
  await writeFile(join(workspace, "src/add.js"), "export const add = (a, b) => a + b;\n");
  const { tree } = await snapshot(repository, { workspace, base: red });
  const head = await commitTree(repository, {
    tree,
    parents: [red],
    subject: "adds",
    trailers: {},
    dateMs: 0,
  });
  await after?.(git, await git("rev-parse", `${head}:${path}`), await git("rev-parse", `${red}:${path}`));
  const shown = after === undefined ? status : await shownAt(git, { workspace, head });
  expect(shown).toEqual(deceives ? (after === undefined ? "" : frozenTest) : expect.stringMatching(/./u));
  return (await project.green({ red, head, required: [`${path}::FR1 adds`] })).verdict;
}

/** The test as a person reads it in a checkout of head. */
async function shownAt(git: Git, { workspace, head }: { readonly workspace: string; readonly head: string }) {
  await rm(join(workspace, path));
  await git("checkout", head, "--", path);
  return readFile(join(workspace, path), "utf8");
}

async function expectRefused(name: string, trick: Trick): Promise<void> {
  const verdict = await judged(trick);
  expect([name, verdict.verdict, failedChecks(verdict)[0]]).toEqual([
    name,
    "fail",
    `fail frozen: these files are read-only in GREEN, restore them: ${trick.named ?? `changed ${path}`}`,
  ]);
}

verifies("CORE-28", "an edited test that `git replace` shows as the frozen one is refused by its path", () =>
  expectRefused("git replace", tricks["git replace"] ?? { hide: edit }),
);

verifiesInCi(
  "CORE-28",
  "seven repositories with one trick each: every hidden edit is refused, with its path",
  async () => {
    for (const [name, trick] of Object.entries(tricks)) await expectRefused(name, trick);
    expect(Object.keys(tricks)).toHaveLength(7);
  },
  120_000,
);
