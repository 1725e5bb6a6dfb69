/** A complete run of the built program in a dirty checkout: what it prints, proves, commits and does not touch. */
import { appendFile, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { EvidenceRecord } from "../../src/evidence/record.ts";
import type { Recorded } from "../../src/log/run-event.ts";
import { recorded } from "../../src/run/list-runs.ts";
import { parseExecutionBlock } from "../support/parse-block.ts";
import { callIn } from "../cli/here.ts";
import { verifies, verifiesInCi } from "../verifies.ts";
import { expectAttestations } from "./attestations.ts";
import { fingerprint, makeDirty } from "./dirty-checkout.ts";
import { forgetEvent, onCopy, payloadFile, verifyIn } from "./tamper.ts";
import {
  createWorld,
  demoFiles,
  eventsOf,
  golden,
  phasesEntered,
  type CliResult,
  type World,
} from "./world.ts";

const stateLine =
  /^\[Orc\.Phase\d+_[A-Z_]+\] \[Gemini: \d\/3\] \[Claude: \d\/3\] \[Exec: (?:PROVEN|UNPROVEN)\] \[Exit: (?:\d+|PENDING)\] \[Status: (?:in_progress|blocked|complete)\]$/;
const testFile = "test/slugify.test.js";
const ten = [
  "1 INTAKE",
  "2 PLANNING",
  "3 PLAN_DUAL_REVIEW",
  "4 USER_GATE_PLAN",
  "5 TDD_RED",
  "6 TEST_DUAL_REVIEW",
  "7 TDD_GREEN",
  "8 CODE_DUAL_REVIEW",
  "9 USER_GATE_CODE",
  "10 SUMMARY",
];

describe("a run from its start to its end", () => {
  let world: World;
  let run: string;
  let asked: CliResult;
  let finished: CliResult;
  let events: readonly Recorded[];
  let before: string;
  let after: string;
  beforeAll(async () => {
    world = await createWorld(await demoFiles());
    await makeDirty(world);
    const cassette = await golden();
    cassette.roles.coder[0]?.does?.push({ say: "Done." });
    const agent = await world.agent(cassette);
    asked = await world.cli([
      "run",
      '@orchestrate "Add slugify(text)"',
      "--agent",
      agent,
      "--approve",
      "plan,code",
    ]);
    run = /mettle answer (\w+)/.exec(asked.stdout)?.[1] ?? "";
    // In an editor, while the run waits.
    await appendFile(join(world.repository.dir, "src/words.js"), "// saved by a person\n");
    before = await fingerprint(world);
    finished = await world.cli([
      "answer",
      run,
      ...["Q1", "Q2", "Q3", "Q4", "Q5"].map((id) => `${id}=as the task says`),
    ]);
    events = (await world.host.journal.read(run)).map(recorded);
    after = await fingerprint(world);
  }, 180_000);

  const recordOf = async (id: string): Promise<EvidenceRecord> => {
    const written = eventsOf(events, "record.written").find((event) => event.id === id);
    return EvidenceRecord.parse(JSON.parse(await world.host.payloads.text(written?.ref ?? "")));
  };

  verifies(
    "ORC-83",
    "prints the TLDR with the block of the last verification, and the one line of success after it",
    async () => {
      expect([asked.code, finished.code]).toEqual([3, 0]);
      const [, ...rest] = finished.stdout.split("✓ ORCHESTRATION COMPLETE");
      expect(rest).toEqual(["\n"]);
      const summary = finished.stdout.slice(finished.stdout.lastIndexOf("TLDR"));
      const block = parseExecutionBlock(summary);
      const final = eventsOf(events, "record.written").at(-1);
      const record = await recordOf(final?.id ?? "");
      expect([block?.exit, block?.command]).toEqual(["0", record.title]);
      const run_ = await recordOf(record.inner[0] ?? "");
      expect(block?.inner[0]).toMatchObject({
        exit: "0",
        lines: run_.lastLines.slice(-20).map((line) => line.trimEnd()),
      });
      expect(run_.lastLines.length).toBeGreaterThan(10);
      expect([run_.commit, run_.required.length, run_.observed.length]).toEqual([
        await world.repository.git("rev-parse", `mettle/${run}/result`),
        5,
        7,
      ]);
    },
  );

  test("`show --html` writes a page with the verdicts, attempts and records of the journal", async () => {
    const file = join(world.home, "page.html");
    expect(await callIn(world, ["show", run, "--html", file])).toMatchObject({ code: 0, stderr: "" });
    const page = await readFile(file, "utf8");
    expect(page).toContain('data-status="complete" data-proved="true"');
    const drawn = (name: string) =>
      [...page.matchAll(new RegExp(`data-${name}="([^"]*)"`, "gu"))].map(([, value]) => value);
    const judged = eventsOf(events, "gate.judged");
    expect(drawn("verdict")).toEqual(judged.map(({ verdict }) => verdict));
    const records = eventsOf(events, "record.written").map(({ id }) => id);
    expect(drawn("row")).toEqual(expect.arrayContaining(records));
    expect(drawn("lane")).toEqual(ten.map((phase) => `/${phase}`));
  });

  verifiesInCi(
    "ORC-85",
    "the TLDR names task, requirements, files, reviews, warnings, trips, cost, branch and how to verify it",
    async () => {
      const summary = finished.stdout.slice(finished.stdout.lastIndexOf("TLDR"));
      for (const part of [
        "TLDR\nTask: Add slugify(text)\n",
        `  FR1: letters become lower case [${testFile}::FR1 makes letters lower case]\n`,
        `  ERR1: anything but a string throws a TypeError [${testFile}::ERR1 refuses anything but a string]\n`,
        `Files changed (2):\n  src/slugify.js\n  ${testFile}\n`,
        "Reviews (3):\n  gate 1 (plan): Gemini 1/3, Claude 1/3\n  gate 2 (tests): Gemini 1/3, Claude 1/3\n  gate 3 (code): Gemini 1/3, Claude 1/3\n",
        'UNVERIFIED claim retracted: "Done"; the runtime\'s own run: final pass, EXIT_CODE 0',
        "Circuit breakers tripped: none\n",
        "Cost: unknown\n",
        `Branch: mettle/${run}/result\n`,
        `Verify: mettle verify ${run}\n`,
      ])
        expect(summary).toContain(part);
      expect((await callIn(world, ["verify", run])).code).toBe(0);
    },
  );

  verifies(
    "ORC-44",
    "Phase 5 is complete on a block with EXIT_CODE 0 that contains the failing run's own block",
    () => {
      const from = finished.stdout.indexOf("[Orc.Phase5_TDD_RED] [Gemini: 1/3] [Claude: 1/3] [Exec: PROVEN]");
      const [line = "", ...rest] = finished.stdout.slice(from).split("\n");
      expect(line).toMatch(/\[Exit: 0\] \[Status: complete\]$/);
      const block = parseExecutionBlock(rest.join("\n"));
      expect(block).toMatchObject({ exit: "0", inner: [{ exit: "1", inner: [] }] });
      expect(block?.command).toMatch(/^mettle gate red --base /);
      expect(block?.inner[0]?.command).toContain("--test");
    },
  );

  verifies(
    "ORC-88",
    "every message begins with the state line, and no forbidden combination is printed",
    () => {
      for (const { stdout } of [asked, finished]) {
        const messages = stdout.split(/\n(?=\[Orc\.)/).map((text) => text.trim());
        const lines = messages.map((message) => message.split("\n")[0] ?? "");
        expect(lines.length).toBeGreaterThan(1);
        expect(lines.filter((line) => !stateLine.test(line))).toEqual([]);
        const proven = messages.filter((message) => message.includes("[Exec: PROVEN]"));
        expect(proven.filter((message) => parseExecutionBlock(message) === null)).toEqual([]);
        expect(
          lines.filter((line) => /UNPROVEN.*complete|Exit: (?:PENDING|[1-9]).*complete/.test(line)),
        ).toEqual([]);
      }
      const said = `${asked.stdout}${finished.stdout}`.match(/^\[Orc\..*$/gm) ?? [];
      const isOpen = (line: string) =>
        line.includes("[Exec: UNPROVEN] [Exit: PENDING] [Status: in_progress]");
      const begun = said.filter(isOpen).map((line) => /Phase(\w+)/.exec(line)?.[1]);
      expect([...new Set(begun)]).toEqual(ten.map((phase) => phase.replace(" ", "_")));
      // A phase that a new record proves is above its block, and nothing else is proven.
      const isProvenAgain = (phase: string) => ["6", "8", "9"].includes(phase.charAt(0));
      expect(said.filter((line) => !isOpen(line))).toEqual(
        ten
          .filter((phase) => !isProvenAgain(phase))
          .map((phase) => {
            const given = ten.indexOf(phase) < 2 ? 0 : 1;
            return `[Orc.Phase${phase.replace(" ", "_")}] [Gemini: ${given}/3] [Claude: ${given}/3] [Exec: PROVEN] [Exit: 0] [Status: complete]`;
          }),
      );
      const again = finished.stdout.match(
        /(?<=^  phase ).+(?= complete, proven by the block of .+ above$)/gm,
      );
      expect(again).toEqual(ten.filter(isProvenAgain));
    },
  );

  verifies("SEE-02", "each block is printed once", () => {
    const blocks = `${asked.stdout}${finished.stdout}`.match(/^┌─+┐$/gm);
    const purposes = ["documents", "red", "green", "final"];
    const shown = eventsOf(events, "record.written").filter(({ purpose }) => purposes.includes(purpose));
    expect(blocks).toHaveLength(shown.length);
  });

  verifies("ORC-06", "passes exactly the ten phases in order and completes each", () => {
    expect(eventsOf(events, "run.ended")).toMatchObject([{ outcome: "complete" }]);
    expect(phasesEntered(events)).toEqual(ten);
    expect(eventsOf(events, "phase.completed").map(({ phase }) => phase)).toEqual(ten);
  });

  verifies("CORE-40", "every record of the run has every field, and unknown values are null", async () => {
    const written = eventsOf(events, "record.written");
    expect(written.length).toBeGreaterThan(10);
    const envelopes: (string | null)[] = [null];
    for (const { id, ref, envelope } of written) {
      const kept: unknown = JSON.parse(await world.host.payloads.text(ref));
      const record = EvidenceRecord.strict().required().parse(kept);
      expect(Object.keys(kept as object).sort(), id).toEqual(Object.keys(EvidenceRecord.shape).sort());
      expect(record.argv.length, id).toBeGreaterThan(0);
      expect(record.isolation, id).toBe("none");
      expect(Date.parse(record.ended), id).toBeGreaterThanOrEqual(Date.parse(record.started));
      expect(record.env.hash, id).toMatch(/^sha256:[0-9a-f]{64}$/u);
      expect((record.exitCode === null) !== (record.signal === null), id).toBe(true);
      const output = await world.host.payloads.text(record.output);
      for (const line of record.lastLines) expect(output, id).toContain(line.trimEnd().slice(0, 40));
      // The chain: each names the previous envelope.
      expect(record.previous, id).toBe(envelopes.at(-1));
      envelopes.push(envelope);
    }
    const green = await recordOf(written.findLast(({ purpose }) => purpose === "green.tests")?.id ?? "");
    const [required = ""] = green.required;
    expect(required).toContain(testFile);
    expect(green.observed).toEqual(green.tests.map(({ id }) => id));
    expect(green.observed).toEqual(expect.arrayContaining(green.required));
    expect(Object.keys(green.hashes.protected ?? {})).toContain(testFile);
    expect(green.env.names).toEqual(expect.arrayContaining(["HOME", "PATH", "TMPDIR"]));
    expect([green.commit, green.tree].every((id) => /^[0-9a-f]{40}$/u.test(String(id)))).toBe(true);
    const gate = await recordOf(written.findLast(({ purpose }) => purpose === "green")?.id ?? "");
    expect(Object.keys(gate.controls)).toContain("canary");
  });

  verifies("ORC-42", "each of the ten phases is complete on an evidence record of its own", async () => {
    const completed = eventsOf(events, "phase.completed");
    expect(completed.map(({ phase }) => Number.parseInt(phase, 10))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    for (const { record } of completed)
      expect(await recordOf(record)).toMatchObject({ exitCode: 0, verdict: "pass" });
  });

  verifies(
    "ORC-43",
    "phases without tests rest on hashed documents, or on the record of the reviewed commit",
    async () => {
      const completed = eventsOf(events, "phase.completed");
      const of = async (phase: number) => recordOf(completed[phase - 1]?.record ?? "");
      for (const phase of [3, 4])
        expect((await of(phase)).argv).toEqual([
          "git",
          "hash-object",
          ".claude/temp/spec.md",
          ".claude/temp/architecture.md",
        ]);
      const reviewed = (gate: number) =>
        eventsOf(events, "review.given").find((review) => review.gate === gate)?.reviewed["commit"];
      expect(await of(6)).toMatchObject({ purpose: "red", commit: reviewed(2), phase: "5 TDD_RED" });
      for (const phase of [8, 9])
        expect(await of(phase)).toMatchObject({
          purpose: "green",
          commit: reviewed(3),
          phase: "7 TDD_GREEN",
        });
    },
  );

  verifiesInCi(
    "ORC-42",
    "a changed, missing or unlinked record makes verify fail for its phase",
    async () => {
      const completed = (phase: string) =>
        eventsOf(events, "phase.completed").find((event) => event.phase === phase);
      const written = (phase: string) =>
        eventsOf(events, "record.written").find(({ id }) => id === completed(phase)?.record);
      const at = (seq: number | undefined) => ({ run, seq: seq ?? 0 });
      type Deed = readonly [phase: string, tamper: (root: string) => Promise<void>];
      const deeds: readonly [Deed, ...Deed[]] = [
        ["5 TDD_RED", (root) => appendFile(payloadFile(root, written("5 TDD_RED")?.ref ?? ""), " ")],
        ["2 PLANNING", (root) => rm(payloadFile(root, written("2 PLANNING")?.envelope ?? ""))],
        ["10 SUMMARY", (root) => rm(payloadFile(root, written("10 SUMMARY")?.ref ?? ""))],
        ["3 PLAN_DUAL_REVIEW", (root) => forgetEvent(root, at(completed("3 PLAN_DUAL_REVIEW")?.seq))],
        ["7 TDD_GREEN", (root) => forgetEvent(root, at(written("7 TDD_GREEN")?.seq))],
      ];
      for (const [phase, deed] of deeds) {
        const found = await onCopy(world, deed, (home) => verifyIn(world, home, run));
        expect(found).toMatchObject({ verdict: "fail", phase });
      }
      const [phase, deed] = deeds[0];
      const called = await onCopy(world, deed, (home) =>
        callIn(world, ["verify", run], { env: { METTLE_HOME: home } }),
      );
      expect([called.code, called.stdout]).toMatchObject([1, expect.stringContaining(`(phase ${phase})`)]);
    },
  );

  verifies(
    "CORE-42",
    "verify --replay executes every proof again with equal results; a missing commit is inconclusive",
    async () => {
      const replayed = await callIn(world, ["verify", run, "--replay", "--json"]);
      expect([replayed.code, replayed.json()]).toMatchObject([0, { verdict: "pass" }]);
      // It prints what it executed (fault L5).
      const again = eventsOf(events, "record.written").filter(({ purpose }) =>
        ["documents", "red", "green", "final", "claim"].includes(purpose),
      );
      expect(replayed.json()["replayed"]).toEqual(
        again.map(({ id, purpose }) => expect.stringContaining(`${purpose} (${id})`) as string),
      );
      const commit = eventsOf(events, "commit.made").at(-1)?.commit ?? "";
      const object = join(world.repository.dir, ".git/objects", commit.slice(0, 2), commit.slice(2));
      await rename(object, `${object}.away`);
      const missing = await callIn(world, ["verify", run]);
      await rename(`${object}.away`, object);
      expect([missing.code, missing.stdout]).toMatchObject([
        5,
        expect.stringContaining(`commit ${commit} is not in this repository (phase 7 TDD_GREEN)`),
      ]);
    },
  );

  verifies(
    "CORE-43",
    "verify --export in-toto attests the result's commit and tree as PASSED, WARNED or FAILED; inconclusive is FAILED with a note",
    () => expectAttestations({ world, run, events }),
  );

  test("each commit holds exactly what its gate verified, with trailers that lead to its record (CORE-69, RED and GREEN)", async () => {
    const commits = eventsOf(events, "commit.made");
    expect(commits.map(({ kind }) => kind)).toEqual(["red", "green"]);
    for (const { commit, tree, key, kind } of commits) {
      const [author, committer, body = ""] = (
        await world.repository.git("log", "-1", "--format=%an <%ae>%x00%cn <%ce>%x00%B", commit)
      ).split("\0");
      expect([author, committer]).toEqual([author, author]);
      expect(author).not.toContain("Person");
      const trailers = Object.fromEntries(
        [...body.matchAll(/^(Mettle-\w+): (.+)$/gm)].map(([, name, value]) => [name, value]),
      );
      expect(trailers).toMatchObject({ "Mettle-Run": run, "Mettle-Key": key });
      expect(trailers["Mettle-Phase"]).toBe(kind === "red" ? "5 TDD_RED" : "7 TDD_GREEN");
      expect(await recordOf(trailers["Mettle-Record"] ?? "")).toMatchObject({
        commit,
        tree,
        purpose: `${kind}.tests`,
      });
      const gate = eventsOf(events, "record.written").find(
        (record) => record.commit === commit && record.purpose === kind,
      );
      expect([gate?.tree, gate?.verdict]).toEqual([tree, "pass"]);
      expect(await world.repository.git("rev-parse", `${commit}^{tree}`)).toBe(tree);
    }
    // No one committed in the workspaces: the agents' files were used as they were left.
    expect(await world.repository.git("rev-list", "--count", `HEAD..mettle/${run}/result`)).toBe("2");
  });

  verifies(
    "ORC-61",
    "a file that a person saves meanwhile is reported, stays unchanged, is in no commit and blocks no run",
    async () => {
      const saved = eventsOf(events, "outside.write").filter(({ place }) => place === "checkout");
      expect(saved.map(({ paths }) => paths)).toEqual([["src/words.js"]]);
      expect((await callIn(world, ["status", run])).stdout).toContain(
        "changed in the main checkout, no part of the run: src/words.js",
      );
      expect([finished.code, after]).toEqual([0, before]);
      expect(await world.repository.git("diff", "--name-only", `HEAD..mettle/${run}/result`)).toBe(
        `src/slugify.js\n${testFile}`,
      );
      expect(await world.repository.git("diff", "--", "src/words.js")).toContain("+// saved by a person");
    },
  );

  verifiesInCi(
    "ORC-65",
    "branch, index, stash and uncommitted files stay unchanged, and the printed command merges the result",
    async () => {
      expect(after).toBe(before);
      const [, printed = ""] = /^Land: mettle (.+)$/m.exec(finished.stdout) ?? [];
      expect((await callIn(world, printed.split(" "))).code).toBe(0);
      const result = await world.repository.git("rev-parse", `mettle/${run}/result`);
      expect(await world.repository.git("rev-parse", "main")).toBe(result);
      expect(await readFile(join(world.repository.dir, "src/slugify.js"), "utf8")).toContain("TypeError");
      // The person's own changes are still there, uncommitted.
      expect(
        await world.repository.git("status", "--porcelain", "--", "README.md", "note.txt", "staged.txt"),
      ).toBe(" M README.md\nA  staged.txt\n?? note.txt");
    },
  );
});
