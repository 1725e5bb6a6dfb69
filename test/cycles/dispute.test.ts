/**
 * One run of dptr in which QA and DE dispute a test, a person decides twice, and both agents run git commands. It ends
 * complete; its results are checked too.
 * @module-tag ci
 */
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect } from "vitest";
import type { Recorded } from "../../src/log/run-event.ts";
import { recorded } from "../../src/run/list-runs.ts";
import { openStore } from "../../src/families/cycles/store.ts";
import { callIn } from "../cli/here.ts";
import { eventsOf, type CliResult, type World } from "../orchestrate/world.ts";
import { act } from "../orchestrate/turns.ts";
import { verifies } from "../verifies.ts";
import { createCyclesWorld, dispatchLines, goCycles, oneCycle, type CyclesCassette } from "./world.ts";

const first = "S2 asks for a hyphen where the criterion asks for nothing";
const second = "S1 keeps the words' order, and should not";
const testIsRight = "the criterion says nothing of that; the test stands";
const meddling = "git add --all && git commit --quiet --message mine && git checkout --quiet -b mine";

async function cassetteOf(): Promise<CyclesCassette> {
  const cassette = await oneCycle();
  const { planner, plan_critic, qa, de } = cassette.roles;
  const [red = {}, ...qaRest] = qa;
  const [green = {}, ...deRest] = de;
  const path = "test/slugify.test.js";
  const { content } = (red.does?.[0] as { write: { content: string } }).write;
  const wrong = content.replace('slugify(""), ""', 'slugify(""), "-"');
  const observe = { observe: "MARKER-QA: two tests, both fail" };
  planner[0]?.does?.push({ observe: "MARKER-PLAN: slugify first" });
  plan_critic[0]?.does?.push({ observe: "MARKER-CRITIC: fine" });
  cassette.roles.qa = [
    { ...red, does: [{ write: { path, content: wrong } }, { shell: meddling }, observe] },
    act("RC", { message: testIsRight }),
    act("TA", { write: { [path]: content }, message: "S2 asks for nothing now" }),
    act("RC", { message: testIsRight }),
    ...qaRest,
  ];
  cassette.roles.de = [
    act("TI", { message: first }),
    act("TI", { message: second }),
    {
      ...green,
      expects: [testIsRight, "A person decided: the test is right: read S1"],
      does: [...(green.does ?? []), { shell: `${meddling}; git commit --quiet --amend --message theirs` }],
    },
    ...deRest,
  ];
  return cassette;
}

let world: World;
let run = "";
const shown: CliResult[] = [];
const answered: CliResult[] = [];
const lines: (readonly string[])[] = [];
let events: readonly Recorded[] = [];
let before = "";
let waiting = "";

async function journal(): Promise<readonly Recorded[]> {
  return (await world.host.journal.read(run)).map(recorded);
}

async function look(): Promise<void> {
  shown.push(await callIn(world, ["show", run]));
  lines.push(dispatchLines(await journal()));
}

beforeAll(async () => {
  world = await createCyclesWorld();
  before = await world.repository.git("for-each-ref", "refs/heads", "--format=%(refname) %(objectname)");
  ({ run } = await goCycles(world, "dptr", await cassetteOf()));
  await look();
  waiting = await readFile(join(world.repository.dir, "memory-bank/progress.md"), "utf8");
  answered.push(await callIn(world, ["answer", run, "whatever"]));
  await look();
  answered.push(await callIn(world, ["answer", run, "test-wrong"]));
  await look();
  answered.push(await callIn(world, ["answer", run, "test-right", "read S1"]));
  events = await journal();
}, 180_000);

describe("a dispute over a test", () => {
  verifies("TDP-59", "waits for a person with the test, both statements and the failure", () => {
    const text = shown[0]?.stdout ?? "";
    expect(text).toContain("Test: test/slugify.test.js::S2 an empty text gives an empty slug");
    expect(text).toContain('assert.equal(slugify(""), "-");');
    expect(text).toContain(`DE: ${first}`);
    expect(text).toContain(`QA: ${testIsRight}`);
    expect(text).toMatch(/How it fails:\n┌[^]*✖ S2 an empty text gives an empty slug[^]*EXIT_CODE: 1/u);
    expect(text).toContain(`mettle answer ${run} test-wrong`);
  });

  verifies("TDP-59", "accepts only the two answers", () => {
    const { code, stderr } = answered[0] ?? { code: 0, stderr: "" };
    expect([code, stderr]).toEqual([
      2,
      'error[unknown_answer]: whatever is not an answer to "DE says a test is wrong, QA says it is right"\nhint: answers: test-wrong, test-right; `mettle status` has the command of each\n',
    ]);
    expect([lines[1], shown[1]?.stdout]).toEqual([lines[0], shown[0]?.stdout]);
  });

  verifies(
    "TDP-59",
    "goes to QA or on to DE as the person decides, and the journal names who decided",
    () => {
      const at = lines[0]?.length ?? 0;
      expect(lines[0]?.slice(-2)).toEqual(["DE[S{sid},R0,C1,P:ℜᴳ]", "QA[S{sid},R1,C1,P:ℜ,CTX:test_issue]"]);
      expect(answered[1]?.code).toBe(3);
      expect(lines[2]?.slice(at)).toEqual([
        "QA[S{sid},R2,C1,P:ℜ,CTX:test_issue]",
        "DE[S{sid},R3,C1,P:ℜᴳ]",
        "QA[S{sid},R4,C1,P:ℜ,CTX:test_issue]",
      ]);
      expect(dispatchLines(events).slice(lines[2]?.length)[0]).toBe("DE[S{sid},R5,C1,P:ℜᴳ]");
      const decided = eventsOf(events, "result").filter(({ outcome }) => outcome.startsWith("test-"));
      expect(decided.map(({ outcome, by, text }) => [outcome, by?.answeredBy, text])).toEqual([
        ["test-wrong", "file", ""],
        ["test-right", "file", "read S1"],
      ]);
    },
  );

  verifies("TDP-21", "an adjusted test passes RED again, is frozen again, and the cycle ends ✅", () => {
    const gates = eventsOf(events, "gate.judged").filter(({ gate }) => gate === "cycle_red");
    expect(gates.map(({ verdict }) => verdict)).toEqual(["pass", "pass"]);
    const frozen = eventsOf(events, "files.frozen").map(({ seq, files }) => ({
      seq,
      hash: files["test/slugify.test.js"],
    }));
    const adjusted = eventsOf(events, "result").find(({ outcome }) => outcome === "TA")?.seq ?? 0;
    const refactored = eventsOf(events, "result").find(({ outcome }) => outcome === "RTC")?.seq ?? 0;
    const hashes = frozen.filter(({ seq }) => seq < refactored);
    expect(hashes.map(({ seq }) => seq > adjusted)).toEqual([false, true]);
    expect(new Set(hashes.map(({ hash }) => hash)).size).toBe(2);
    expect([answered[2]?.code, eventsOf(events, "cycle.completed").length]).toEqual([0, 1]);
    expect(eventsOf(events, "cycle.failed")).toEqual([]);
  });
});

verifies("TDP-50", "under dptr a working cycle is shown as open", () => {
  expect(waiting).toContain("\n- □ TDD₁: slugify() → ℜ→ℜᴳ→ℜᶠ\n");
  expect(waiting).not.toContain("🔄");
});

describe("the results of a complete run of dptr", () => {
  verifies("TDP-57", "the gates tested the runtime's commits, whatever the agents did with git", async () => {
    const { git } = world.repository;
    const log = await git("log", "--format=%an|%s", `main..mettle/${run}/result`);
    expect(log).not.toMatch(/mine|theirs/u);
    expect(log.trim().split("\n")).toHaveLength(6);
    for (const { commit } of eventsOf(events, "commit.made"))
      expect(await git("log", "-1", "--format=%(trailers:key=Mettle-Run,valueonly)", commit)).toContain(run);
    expect(await git("rev-parse", "--abbrev-ref", "HEAD")).toContain("main");
    const branches = await git("for-each-ref", "refs/heads/main", "--format=%(refname) %(objectname)");
    expect(before).toContain(branches.trim());
  });

  verifies("DPT-05", "status, dialogue and memory bank are three places", async () => {
    const folder = join(world.repository.dir, "memory-bank");
    const names = await readdir(folder);
    const bank = (await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")))).join("\n");
    const store = await openStore({ home: world.host.home, clock: world.host.clock });
    try {
      const sids = eventsOf(events, "session.opened").map(({ session }) => session);
      const pages = await Promise.all(
        sids.map((session) => store.query({ session, round: null, agent: null, at: null } as never, {})),
      );
      const said = pages.flat();
      const marked = said.filter(({ content }) => content.startsWith("MARKER"));
      expect(marked.map(({ agent }) => agent).toSorted()).toEqual(["QA", "Ω₃ᴾ", "Ω₄ᶜ"]);
      for (const { content } of said) expect(bank).not.toContain(content);
      const own = said.filter(({ agent }) => agent !== "MT");
      expect(own.filter(({ content }) => /→[A-Z]{2}/u.test(content))).toEqual([]);
    } finally {
      await store.close();
    }
    const inside = await world.repository.git("ls-files", "--others", "--cached");
    expect(inside).not.toMatch(/\.(?:db|sqlite3?)\b/u);
    expect(
      (await readdir(join(world.repository.dir, ".git"))).filter((name) => /db|sqlite/u.test(name)),
    ).toEqual([]);
  });

  verifies(
    "TDP-57",
    "a complete run prints its branch, and a command that merges it into the user's branch",
    async () => {
      const land = /^Land: (.+)$/mu.exec(answered[2]?.stdout ?? "")?.[1] ?? "";
      expect(answered[2]?.stdout).toContain(`Branch: mettle/${run}/result`);
      expect(await callIn(world, land.split(" ").slice(1))).toMatchObject({ code: 0 });
      expect(await readFile(join(world.repository.dir, "src/slugify.js"), "utf8")).toContain("slugify");
    },
  );
});
