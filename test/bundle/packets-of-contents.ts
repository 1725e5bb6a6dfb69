/** Packets with other runners, controls, frozen files, outputs and commands. */
import { putOutput, renumber } from "./packet.ts";
import { frozenFile, setCommand, replaceInCommand, vitest, freeze, type Packet } from "./packet-edits.ts";

const contents: readonly Packet[] = [
  {
    name: "a passing run of another runner",
    change: ({ of }) => void (of("green.tests").runner = { name: "vitest", version: "4.1.0", node: "v20" }),
    why: /4: it names the runner vitest, but its command does not start it/u,
  },
  {
    name: "a run of another runner under the name of this one",
    change: ({ of }) => void of("green.tests").argv.push("/project/node_modules/vitest/vitest.mjs"),
    why: /4: it names the runner node:test, but its command starts vitest/u,
  },
  {
    name: "a runner that the gate does not name",
    change: ({ of }) => vitest(of("green.tests")),
    why: /7: it names the runner node:test, its run vitest/u,
  },
  {
    name: "another runner in RED than in GREEN",
    change: ({ of }) => {
      vitest(of("green.tests"));
      for (const purpose of ["green", "prove"]) of(purpose).runner = of("green.tests").runner;
    },
    why: /7: it ran the required test .* with vitest, RED with node:test/u,
  },
  {
    name: "a runner that nobody knows",
    change: ({ of }) => void Object.assign(of("green.counts").runner ?? {}, { name: "true" }),
    why: /6: no test runner is called true/u,
  },
  {
    name: "a control that passed, shown as held",
    change: ({ of }) => {
      for (const test of of("green.canary").tests) Object.assign(test, { status: "passed", kind: null });
      Object.assign(of("green.canary"), { verdict: "pass", exitCode: 0, reasons: [] });
    },
    why: /7: .*no false assertion failed in .*\/5 \(pass\)/u,
  },
  {
    name: "an inconclusive control shown as held",
    change: ({ of }) =>
      void Object.assign(of("green.canary"), { verdict: "inconclusive", tests: [], observed: [] }),
    why: /7: .*no false assertion failed in .*\/5 \(inconclusive\)/u,
  },
  {
    name: "a control without a run",
    change: ({ of }) => void (of("green.canary").purpose = "green.repeat"),
    why: /7: it says that the canary failed as it must, and contains no run of it/u,
  },
  {
    name: "a control that GREEN did not measure",
    change: ({ of }) => void (of("green").controls["canary"] = "not measured"),
    why: /9: it says of canary "failed as it must", its GREEN "not measured"/u,
  },
  {
    name: "frozen hashes that are not those of the commit",
    change: ({ records }) => freeze(records, (files) => void (files[frozenFile] = "sha256:00")),
    why: /7: the content of test\/discount\.test\.js in commit \w+ is not what it froze/u,
  },
  {
    name: "a frozen file that changed from RED to GREEN",
    change: ({ of }) => {
      const files = of("green").hashes.protected;
      if (files !== null) files[frozenFile] = "sha256:00";
    },
    why: /7: the frozen file test\/discount\.test\.js is not the one that RED froze/u,
  },
  {
    name: "a test file that was not frozen",
    change: ({ records }) => freeze(records, (files) => void delete files[frozenFile]),
    why: /3: it did not freeze test\/discount\.test\.js, which has required tests/u,
  },
  {
    name: "other frozen files than GREEN",
    change: ({ of }) => void (of("prove").hashes.lockfile = "sha256:11"),
    why: /9: its frozen files are not those of its GREEN/u,
  },
  {
    name: "a gate without its runs",
    change: ({ of }) => void (of("red").inner = []),
    why: /3: it passed without the record of a test run/u,
  },
  {
    name: "a proof without RED",
    change: ({ of }) => void (of("prove").inner = of("prove").inner.filter((id) => id !== of("red").id)),
    why: /9: it passed without the record of RED/u,
  },
  {
    name: "a proof whose GREEN failed",
    change: ({ of }) =>
      void Object.assign(of("green"), { verdict: "fail", exitCode: 1, reasons: ["weakened: yes"] }),
    why: /9: it passed although .*\/7 is fail/u,
  },
  {
    name: "nothing to prove, though the program changed",
    change: (edits) => {
      const { records, of, statement } = edits;
      const [run, prove] = [of("green.tests"), of("prove")];
      run.purpose = "prove.tests";
      Object.assign(prove, { inner: [run.id], controls: {} });
      records.splice(0, Infinity, run, of("baseline"), prove);
      renumber(edits);
      statement.red = null;
    },
    why: /3: it says that nothing had to be proved, and .* changed/u,
  },
];

const words: readonly Packet[] = [
  {
    name: "an output that is not there",
    change: ({ payloads, of }) => void payloads.delete(of("green.tests").output),
    why: /4: its output is not in the bundle/u,
  },
  {
    name: "a cut log",
    change: ({ payloads, of }) => {
      const { output } = of("green.tests");
      payloads.set(output, (payloads.get(output) ?? "").slice(0, 20));
    },
    why: /4: its output was changed/u,
  },
  {
    name: "a cut log with an address of its own",
    change: (edits) => {
      const run = edits.of("red.tests");
      const text = edits.payloads.get(run.output) ?? "";
      putOutput(edits, run, text.slice(0, text.length / 2), run.lastLines);
    },
    why: /1: it has \d+ last lines, and its output \d+: some were cut/u,
  },
  {
    name: "last lines that were cut",
    change: ({ of }) => void of("red.tests").lastLines.splice(3, 4),
    why: /1: it has \d+ last lines, and its output \d+: some were cut/u,
  },
  {
    name: "a gate whose list of checks was cut",
    change: (edits) => {
      const gate = edits.of("prove");
      const text = edits.payloads.get(gate.output) ?? "";
      putOutput(edits, gate, text.replace("verdict: pass\n", ""));
    },
    why: /9: it passed, and its output ends with "(?:pass|finding) /u,
  },
  {
    name: "a gate whose own words are inconclusive",
    change: (edits) => {
      const gate = edits.of("green");
      const text = edits.payloads.get(gate.output) ?? "";
      putOutput(edits, gate, text.replace("verdict: pass", "verdict: inconclusive"));
    },
    why: /7: it passed, and its output ends with "verdict: inconclusive"/u,
  },
  {
    name: "a check that failed in the list of a passed gate",
    change: (edits) => {
      const gate = edits.of("green");
      const text = edits.payloads.get(gate.output) ?? "";
      putOutput(edits, gate, text.replace("pass regressions", "fail regressions"));
    },
    why: /7: it passed, and its output says "fail regressions/u,
  },
  {
    name: "a run that is called a gate",
    change: ({ of }) => void (of("green.counts").purpose = "final"),
    why: /6: it is called final, but its command is /u,
  },
  {
    name: "a purpose that was renamed",
    change: ({ of }) => void (of("green").purpose = "merge"),
    why: /7: it is called merge, but its command is that of green/u,
  },
  {
    name: "the arguments of another command",
    change: ({ of }) => setCommand(of("prove"), of("green").argv),
    why: /9: it is called prove, but its command is that of green/u,
  },
  {
    name: "a command that is shown as another one",
    change: ({ of }) => void (of("prove").title = "mettle gate final"),
    why: /9: it is shown as "mettle gate final", but its command is/u,
  },
  {
    name: "a command about another commit",
    change: ({ of, other }) => replaceInCommand(of("green"), of("green").commit ?? "", other.commit),
    why: /7: its command judges \w+, but it names the commit/u,
  },
  {
    name: "an isolation that is overstated",
    change: ({ of }) => void (of("prove").isolation = "bubblewrap 9"),
    why: /9: it claims the isolation bubblewrap 9, and .*\/4 ran with/u,
  },
  {
    name: "the bundle of another gate",
    change: ({ statement }) => void (statement.made = "final"),
    why: /of final, and its last record is of prove/u,
  },
  {
    name: "a phase that is complete on a failed record",
    change: ({ statement, of }) =>
      void statement.completed.push({ phase: "5 TDD_RED", record: of("red.tests").id }),
    why: /1: phase 5 TDD_RED is complete with a record that did not pass/u,
  },
  {
    name: "a block that was shown and is not that of its record",
    change: ({ statement, of }) =>
      void statement.shown.push({ record: of("prove").id, text: "EXIT_CODE: 0 (SUCCESS)" }),
    why: /9: the shown block differs from the record/u,
  },
  {
    name: "a block of no record",
    change: ({ statement }) => void statement.shown.push({ record: "gate-x/1", text: "EXIT_CODE: 0" }),
    why: /^a block of gate-x\/1 was shown, which has no record/u,
  },
];

export const packetsOfContents: readonly Packet[] = [...contents, ...words];
