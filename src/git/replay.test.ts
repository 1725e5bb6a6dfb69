import { beforeAll, expect, test } from "vitest";
import { createRepository, type TempRepository } from "../../test/support/repository.ts";
import { openRepository, type Repository } from "./repository.ts";
import { mergeOnBase, replay } from "./replay.ts";
import { readFile } from "./objects/tree.ts";
import { inCi } from "../../test/verifies.ts";

let repo: TempRepository;
let repository: Repository;
let base: string;
beforeAll(async () => {
  repo = await createRepository({ files: { "a.txt": "one\n\n\n\n\nsix\n" } });
  repository = await openRepository(repo.dir, { path: process.env["PATH"] ?? "" });
  base = await repo.git("rev-parse", "HEAD");
});

async function commitOn(parent: string, files: Readonly<Record<string, string | null>>, message = "Change") {
  await repo.git("checkout", "--quiet", "--detach", parent);
  await repo.write(files);
  return repo.commit(message);
}

async function textAt(commit: string, path: string) {
  return (await readFile(repository, { commit, path }))?.toString("utf8") ?? null;
}

inCi(
  "commits are put on another one with their messages and authors, nothing else moves, and again gives the same",
  async () => {
    const first = await commitOn(base, { "own.txt": "1\n" }, "First\n\nMettle-Key: k#1\nMettle-Record: r1/3");
    const second = await commitOn(first, { "a.txt": "one\n\n\n\n\nsix, mine\n" }, "Second");
    const onto = await commitOn(base, { "a.txt": "one, theirs\n\n\n\n\nsix\n" });
    const refs = await repo.git("for-each-ref");
    const replayed = await replay(repository, { from: base, to: second, onto });
    expect(replayed.conflict).toBeNull();
    expect([...replayed.rewritten.keys()]).toEqual([first, second]);
    expect(await textAt(replayed.tip, "a.txt")).toBe("one, theirs\n\n\n\n\nsix, mine\n");
    const format = "--format=%an <%ae> %s %(trailers:key=Mettle-Key,valueonly,separator=%x2C)";
    expect(await repo.git("log", format, `${onto}..${replayed.tip}`)).toBe(
      "Person <person@localhost> Second \nPerson <person@localhost> First k#1",
    );
    expect(await repo.git("log", "--format=%B", `${onto}..${replayed.tip}`)).not.toContain("Mettle-Record");
    expect(await repo.git("rev-parse", `${replayed.tip}~2`)).toBe(onto);
    expect(await replay(repository, { from: base, to: second, onto })).toEqual(replayed);
    expect(await repo.git("for-each-ref")).toBe(refs);
  },
);

test("nothing of its own is replayed to where it goes", async () => {
  const onto = await commitOn(base, { "b.txt": "b\n" });
  expect(await replay(repository, { from: base, to: base, onto })).toEqual({
    tip: onto,
    rewritten: new Map(),
    conflict: null,
  });
});

inCi("it ends before the first conflict, and the rest is between markers", async () => {
  const first = await commitOn(base, { "own.txt": "1\n" });
  const second = await commitOn(first, { "a.txt": "one, mine\n\n\n\n\nsix\n" });
  const third = await commitOn(second, { "more.txt": "2\n" });
  const onto = await commitOn(base, { "a.txt": "one, theirs\n\n\n\n\nsix\n" });
  const { tip, rewritten: became, conflict } = await replay(repository, { from: base, to: third, onto });
  expect([...became.keys()]).toEqual([first]);
  expect(became.get(first)).toBe(tip);
  expect(conflict?.paths).toEqual(["a.txt"]);
  const { tree = "", sides } = conflict ?? {};
  expect((await textAt(tree, "a.txt"))?.replace(/(?<=^\|{7} ).*$/mu, "before")).toBe(
    `<<<<<<< ${sides?.ours}\none, theirs\n||||||| before\none\n=======\none, mine\n>>>>>>> ${sides?.theirs}\n\n\n\n\nsix\n`,
  );
  expect(await textAt(tree, "more.txt")).toBe("2\n");
});

inCi("each side of a conflict is whole, also where both end alike", async () => {
  const grown = (name: string) => `one\n\n\n\n\nsix\nfunction ${name}() {\n  return "${name}";\n}\n`;
  const own = await commitOn(base, { "a.txt": grown("mine") });
  const onto = await commitOn(base, { "a.txt": grown("theirs") });
  const { conflict } = await replay(repository, { from: base, to: own, onto });
  const text = (await textAt(conflict?.tree ?? "", "a.txt")) ?? "";
  expect(text).toMatch(/^<{7} .*\nfunction theirs[^]*?\n\}\n\|{7} .*\n={7}\nfunction mine[^]*?\n\}\n>{7} /mu);
});

inCi("a conflict that a later commit reverts is no conflict", async () => {
  const first = await commitOn(base, { "a.txt": "one, mine\n\n\n\n\nsix\n" });
  const second = await commitOn(first, { "a.txt": "one\n\n\n\n\nsix\n", "own.txt": "1\n" }, "Take it back");
  const onto = await commitOn(base, { "a.txt": "one, theirs\n\n\n\n\nsix\n" });
  const { tip, rewritten: became, conflict } = await replay(repository, { from: base, to: second, onto });
  expect(conflict).toBeNull();
  expect([...became]).toEqual([[second, tip]]);
  expect(await textAt(tip, "a.txt")).toBe("one, theirs\n\n\n\n\nsix\n");
  expect(await textAt(tip, "own.txt")).toBe("1\n");
});

inCi("the base of a merge is the one that is named, not the one that history has", async () => {
  const first = await commitOn(base, { "a.txt": "one, mine\n\n\n\n\nsix\n" });
  const second = await commitOn(first, { "a.txt": "one, mine again\n\n\n\n\nsix\n" });
  // What the first one did is there already, as a commit of its own.
  const squashed = await commitOn(base, { "a.txt": "one, mine\n\n\n\n\nsix, theirs\n" });
  const plain = await mergeOnBase(repository, { base, ours: squashed, theirs: second });
  expect(plain.type).toBe("conflict");
  const merged = await mergeOnBase(repository, { base: first, ours: squashed, theirs: second });
  expect(merged.type).toBe("clean");
  expect(await textAt(merged.tree, "a.txt")).toBe("one, mine again\n\n\n\n\nsix, theirs\n");
});
