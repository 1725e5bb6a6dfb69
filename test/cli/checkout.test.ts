/**
 * `mettle run` reports the state of its folder and leaves the checkout unchanged.
 * @module-tag ci
 */
import { beforeAll, describe, expect } from "vitest";
import { createRepository, type TempRepository } from "../support/repository.ts";
import { createWorld, demoFiles, golden, type CliResult, type World } from "../orchestrate/world.ts";
import { verifies } from "../verifies.ts";
import { callIn } from "./here.ts";

const states = ["no git", "no commit", "detached", "changed"] as const;
type State = (typeof states)[number];

const unconfined = "note: sandbox: off, so no agent is confined; records say isolation: none\n";

describe("a run that is started", () => {
  let world: World;
  const repositories: TempRepository[] = [];
  const called = {} as Record<
    State,
    { readonly run: CliResult; readonly before: string; readonly after: string }
  >;

  /** The state of a checkout: HEAD, refs, index, stash and files. */
  const everything = async ({ git }: TempRepository): Promise<string> => {
    const commands = [
      ["symbolic-ref", "-q", "HEAD"],
      ["rev-parse", "-q", "--verify", "HEAD"],
      ["status", "--porcelain", "--untracked-files=all", "--ignored"],
      ["diff", "HEAD"],
      ["ls-files", "--stage", "-v"],
      ["stash", "list"],
      ["for-each-ref", "refs/heads", "refs/tags"],
    ];
    const texts: string[] = [];
    for (const args of commands) texts.push(await git(...args).catch(() => "none"));
    return texts.join("\n--\n");
  };

  beforeAll(async () => {
    world = await createWorld();
    const agent = await world.agent(await golden());
    const call = async (state: State, repository: TempRepository): Promise<void> => {
      repositories.push(repository);
      const before = await everything(repository);
      const run = await callIn(world, ["run", "@orchestrate Add slugify", "--agent", agent], {
        cwd: repository.dir,
      });
      called[state] = { run, before, after: await everything(repository) };
    };
    const plain = await createRepository({ files: await demoFiles(), commit: false });
    await plain.write({ ".git": null });
    await call("no git", plain);
    await call("no commit", await createRepository({ files: await demoFiles(), commit: false }));
    const detached = await createRepository({ files: await demoFiles() });
    await detached.git("checkout", "--quiet", "--detach");
    await call("detached", detached);
    const changed = await createRepository({ files: { ...(await demoFiles()), ".gitignore": ".claude/\n" } });
    await changed.write({ "src/words.js": "export const words = 1;\n", "src/new.js": "// new\n" });
    await changed.git("add", "src/words.js");
    await changed.write({ "README.md": "another\n" });
    await call("changed", changed);
  });

  verifies(
    "CORE-91",
    "is refused without git or a commit, and else lists what is not part of the run",
    () => {
      const outputs = Object.fromEntries(
        states.map((state) => [state, [called[state].run.code, called[state].run.stderr]]),
      );
      expect(outputs).toEqual({
        "no git": [
          2,
          expect.stringMatching(
            /^error\[not_a_repository\]: \S+ is not in a git repository[^\n]*\nhint: Make one: git init [^\n]*\n$/u,
          ),
        ],
        "no commit": [
          2,
          expect.stringMatching(
            /^error\[no_commit\]: \S+ has no commit yet\nhint: Make a first one: [^\n]*\n$/u,
          ),
        ],
        detached: [3, `note: HEAD is detached; the run starts from this commit\n${unconfined}`],
        changed: [
          3,
          `note: 3 uncommitted files are not part of this run; it starts from HEAD\n${unconfined}`,
        ],
      });
    },
  );

  verifies("CORE-91", "leaves HEAD, branches, index, stash and files as they were", () => {
    for (const state of states) {
      const { before, after } = called[state];
      expect([state, withoutOwn(after)]).toEqual([state, withoutOwn(before)]);
    }
    expect(called.changed.before).toContain("M  src/words.js");
    expect(called.changed.before).toContain("-export function words");
  });
});

/** Without `.claude/`, where Mettle shows the documents of a run. */
function withoutOwn(text: string): string {
  return text.replaceAll(/^(\?\?|!!) \.claude\/.*\n/gmu, "");
}
