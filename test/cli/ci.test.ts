/**
 * `action.yml` and the GitLab template, executed as in a job, on checkouts as their hosts make them.
 * @module-tag ci
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { junitFaults, sarifFaults } from "../support/report-schemas.ts";
import { runAction, runGitlabJob } from "../support/ci-steps.ts";
import { newFolder } from "../support/folder.ts";
import { createRepository } from "../support/repository.ts";
import { verifies } from "../verifies.ts";
import { changes, changeWorld, startFiles, type ChangeWorld } from "./change-world.ts";

interface Pull {
  readonly number: number;
  readonly base: string;
  readonly head: string;
  readonly merge: string;
}

let world: ChangeWorld;
let start: string;
let main: string;
let honest: Pull;
let forked: Pull;

const hostile = 'test("adds\\n::error::prices", () => assert.equal(total([1, 1, 1]), 3));\n';

beforeAll(async () => {
  world = await changeWorld(["honest"]);
  const { repo } = world;
  start = await repo.git("rev-parse", "main");
  await repo.write({
    "CHANGES.md": "Later on the target branch.\n",
    "src/later.js": "export const later = 1;\n",
  });
  main = await repo.commit("Later");
  honest = await pull(1, "honest");

  // A fork that the host does not show as a branch.
  const fork = await createRepository({ files: startFiles });
  await fork.git("fetch", "--quiet", repo.dir, start);
  await fork.git("reset", "--quiet", "--hard", start);
  const { "test/cart.test.js": weakened = "" } = changes["weakened"] ?? {};
  await fork.write({ ...changes["honest"], "test/cart.test.js": `${weakened}${hostile}` });
  await fork.commit("A change of a stranger");
  await repo.git("fetch", "--quiet", fork.dir, "+main:refs/pull/2/head");
  forked = await pull(2, "refs/pull/2/head");
});

/** The commits of a pull request, with the merge that GitHub makes for it. */
async function pull(number: number, head: string): Promise<Pull> {
  const { repo } = world;
  await repo.git("switch", "--quiet", "--detach", "main");
  await repo.git("merge", "--quiet", "--no-ff", "--no-edit", head);
  const merge = await repo.git("rev-parse", "HEAD");
  await repo.git("update-ref", `refs/pull/${number}/merge`, merge);
  await repo.git("switch", "--quiet", "main");
  return { number, base: main, head: await repo.git("rev-parse", head), merge };
}

/** A checkout like that of actions/checkout. @param depth 0: the whole history with all branches */
async function checkout({ number, merge }: Pull, depth: number): Promise<string> {
  const dir = newFolder();
  const git = (...args: readonly string[]) => world.repo.git("-C", dir, ...args);
  await git("init", "--quiet");
  const merged = `+${merge}:refs/remotes/pull/${number}/merge`;
  const what = depth === 0 ? ["+refs/heads/*:refs/remotes/origin/*", merged] : [merged];
  const how = depth === 0 ? [] : [`--depth=${depth}`];
  await git("fetch", "--quiet", "--no-tags", ...how, `file://${world.repo.dir}`, ...what);
  await git("checkout", "--quiet", "--force", `refs/remotes/pull/${number}/merge`);
  return dir;
}

const job = (of: Pull, cwd: string, inputs: Readonly<Record<string, string>> = {}) =>
  runAction({
    cwd,
    inputs,
    eventName: "pull_request",
    sha: of.merge,
    // The base of an event can be older than the one that the host merged with.
    event: {
      number: of.number,
      pull_request: { base: { sha: start, ref: "main" }, head: { sha: of.head } },
      repository: { default_branch: "main" },
    },
  });

verifies(
  "PRV-13",
  "the action's steps and the GitLab job prove a pull request from its merge commit, a shallow clone and a fork without secrets",
  async () => {
    const short = (commit: string) => commit.slice(0, 12);
    const proven = await job(honest, await checkout(honest, 0));
    expect([proven.code, proven.outputs["verdict"]]).toEqual([0, "pass"]);
    // Head is the pull request's own commit, base where it left main: neither the merge nor the tip of main.
    expect(proven.summary).toMatch(
      `## ✅ Mettle: proved\n\n\`${short(start)}\` → \`${short(honest.head)}\` · node:test`,
    );
    expect(proven.summary).toContain("- `test/discount.test.js::takes a discount`");
    expect(proven.log).toContain("::notice file=src/cart.js,line=8,title=Mettle%3A unexecuted lines::");
    const files = { sarif: proven.outputs["sarif"] ?? "", junit: proven.outputs["junit"] ?? "" };
    expect(sarifFaults(readFileSync(files.sarif, "utf8"))).toEqual([]);
    expect(await junitFaults(readFileSync(files.junit, "utf8"))).toEqual([]);

    const shallow = await job(honest, await checkout(honest, 1));
    expect([shallow.code, shallow.outputs["verdict"]]).toEqual([2, "error"]);
    expect(shallow.log).toMatch(
      /^::error title=Mettle%3A shallow_clone::this clone is shallow .*fetch-depth: 0/mu,
    );
    expect(shallow.summary).toMatch(
      /## ❔ Mettle: not judged\n\n`shallow_clone`: this clone is shallow .*\n\n.*fetch-depth: 0/u,
    );

    const refused = await job(forked, await checkout(forked, 0), { args: "--accept-test\nno such test" });
    expect([refused.code, refused.outputs["verdict"]]).toEqual([1, "fail"]);
    expect(refused.summary).toContain("## ❌ Mettle: not proved");
    expect(refused.summary).toMatch(
      /- \*\*old tests that ask for less\*\* \(`weakened`\): .* — `test\/cart\.test\.js:4`/u,
    );
    expect(refused.log).toMatch(
      /^::error file=test\/cart\.test\.js,line=4,title=Mettle%3A old tests that ask for less::/mu,
    );
    const commands = withoutGuarded(refused.log).filter((line) => /^\s*::/u.test(line));
    expect(commands.every((line) => /^::(?:error|warning|notice) (?:file|title)=/u.test(line))).toBe(true);

    const cwd = await checkout(forked, 0);
    await world.repo.git("-C", cwd, "checkout", "--quiet", "--detach", forked.head);
    const gitlab = await runGitlabJob(cwd, {
      CI_MERGE_REQUEST_DIFF_BASE_SHA: start,
      CI_COMMIT_SHA: forked.head,
      CI_COMMIT_BEFORE_SHA: "0".repeat(40),
    });
    expect([gitlab.code, gitlab.log]).toEqual([1, expect.stringContaining("✗ old tests that ask for less")]);
    const quality = JSON.parse(
      readFileSync(join(cwd, gitlab.outputs["codequality"] ?? ""), "utf8"),
    ) as unknown;
    expect(quality).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          check_name: "mettle/weakened",
          severity: "blocker",
          location: { path: "test/cart.test.js", lines: { begin: 4 } },
        }),
      ]),
    );
    expect(await junitFaults(readFileSync(join(cwd, gitlab.outputs["junit"] ?? ""), "utf8"))).toEqual([]);
    expect(readFileSync(join(cwd, "mettle-reports/summary.md"), "utf8")).toContain(
      "## ❌ Mettle: not proved",
    );
  },
);

test("inputs are never executed, and an event without commits is refused", async () => {
  const cwd = await checkout(honest, 0);
  const evil = await job(honest, cwd, { base: '"; touch pwned; #', args: "$(touch pwned)\n`touch pwned`" });
  expect([evil.code, evil.outputs["verdict"]]).toEqual([2, "error"]);
  expect(await world.repo.git("-C", cwd, "status", "--porcelain")).toBe("");
  for (const [eventName, event] of [
    ["workflow_dispatch", {}],
    ["pull_request_target", { pull_request: { base: { sha: start }, head: { sha: honest.head } } }],
  ] as const) {
    const refused = await runAction({ cwd, eventName, event, sha: honest.merge });
    expect([refused.code, refused.log]).toEqual([
      2,
      expect.stringMatching(/^::error title=Mettle%3A usage::/mu),
    ]);
  }
});

/** The lines outside of `::stop-commands::`. */
function withoutGuarded(log: string): readonly string[] {
  let token: string | null = null;
  return log.split("\n").filter((line) => {
    const opened = /^::stop-commands::(\w+)$/u.exec(line)?.[1];
    if (token === null && opened !== undefined) token = opened;
    else if (token !== null) token = line === `::${token}::` ? null : token;
    else return true;
    return false;
  });
}
