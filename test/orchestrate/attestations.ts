/** The attestations of a complete run of the demo, of tampered copies of it, and without one of its commits (CORE-43). */
import { appendFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import type { Recorded } from "../../src/log/run-event.ts";
import { callIn } from "../cli/here.ts";
import { TestResultStatement } from "../support/report-schemas.ts";
import { onCopy, payloadFile, rewriteEvent } from "./tamper.ts";
import { eventsOf, type World } from "./world.ts";

export interface CompleteRun {
  readonly world: World;
  readonly run: string;
  readonly events: readonly Recorded[];
}

export async function expectAttestations({ world, run, events }: CompleteRun): Promise<void> {
  const exported = async (env: Readonly<Record<string, string>> = {}) => {
    const { code, stdout } = await callIn(world, ["verify", run, "--export", "in-toto"], { env });
    const { subject, predicate } = TestResultStatement.parse(JSON.parse(stdout));
    const note = predicate.configuration.at(-1)?.annotations?.["note"];
    const { result, passedTests = [], warnedTests = [] } = predicate;
    return { code, subject: subject.map(({ digest }) => digest), result, note, passedTests, warnedTests };
  };
  const inCopy = (tamper: (root: string) => Promise<void>) =>
    onCopy(world, tamper, (home) => exported({ METTLE_HOME: home }));
  const { commit, tree } = eventsOf(events, "commit.made").at(-1) ?? { commit: "", tree: "" };
  const subject = [{ gitCommit: commit }, { gitTree: tree }];
  const proven = await exported();
  expect(proven).toMatchObject({ code: 0, subject, result: "PASSED", note: undefined, warnedTests: [] });
  const ofTestFile = expect.stringContaining(`test/slugify.test.js::`);
  expect(proven.passedTests).toEqual(expect.arrayContaining([ofTestFile]));

  const old = {
    tests: ["test/old.test.js::old"],
    by: { answeredBy: "tty", authenticated: true, who: "me" },
  };
  const seq = events.find(({ type }) => type === "dispatch.started")?.seq ?? 0;
  const accept = (root: string) =>
    rewriteEvent(root, { run, seq, type: "tests.accepted", data: { type: "tests.accepted", ...old } });
  expect(await inCopy(accept)).toMatchObject({
    code: 0,
    subject,
    result: "WARNED",
    warnedTests: old.tests,
  });

  const [first] = eventsOf(events, "record.written");
  expect(await inCopy((root) => appendFile(payloadFile(root, first?.ref ?? ""), " "))).toMatchObject({
    code: 1,
    subject,
    result: "FAILED",
    note: expect.stringContaining("record "),
    passedTests: [],
  });

  const object = join(world.repository.dir, ".git/objects", commit.slice(0, 2), commit.slice(2));
  await rename(object, `${object}.away`);
  const missing = await exported();
  await rename(`${object}.away`, object);
  expect(missing).toMatchObject({
    code: 5,
    subject,
    result: "FAILED",
    note: expect.stringMatching(/^inconclusive: .* is not in this repository/u),
    passedTests: [],
  });
}
