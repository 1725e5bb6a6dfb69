/** Packets with other tests and results. */
import { added, old, resultOf, withoutTest, fail, failRun, type Packet } from "./packet-edits.ts";

export const packetsOfResults: readonly Packet[] = [
  {
    name: "a run of fewer tests",
    change: ({ of }) => {
      for (const purpose of ["green.tests", "green", "prove"]) withoutTest(of(purpose), old);
    },
    why: /7: it did not run test\/cart\.test\.js::is empty, which passed in RED/u,
  },
  {
    name: "a gate that leaves out a test of its run",
    change: ({ of }) => withoutTest(of("green"), old),
    why: /7: it leaves out test\/cart\.test\.js::is empty/u,
  },
  {
    name: "a gate with a result that no run has",
    change: ({ of }) => withoutTest(of("green.tests"), old),
    why: /7: it claims a result of test\/cart\.test\.js::is empty, which none of its runs has/u,
  },
  {
    name: "a failed required test shown as passed by the gate",
    change: ({ of }) => failRun(of("green.tests"), added),
    why: /7: its result of .*takes a discount is not that of its run/u,
  },
  {
    name: "exit code 0 with a failed test",
    change: ({ of }) => fail(of("green.tests"), old),
    why: /4: it passed although the test .*is empty is failed/u,
  },
  {
    name: "a pass with exit code 1",
    change: ({ of }) => void (of("green.counts").exitCode = 1),
    why: /6: it passed with exit code 1/u,
  },
  {
    name: "a pass of a killed run",
    change: ({ of }) => void (of("green.counts").signal = "SIGKILL"),
    why: /6: it passed although SIGKILL ended it/u,
  },
  {
    name: "a pass of a run that timed out",
    change: ({ of }) => void (of("green.counts").timedOut = true),
    why: /6: it passed although it did not end in time/u,
  },
  {
    name: "a gate that passed with exit code 5",
    change: ({ of }) => void (of("green").exitCode = 5),
    why: /7: its verdict is pass with exit code 5, not 0/u,
  },
  {
    name: "a pass with reasons against it",
    change: ({ of }) => void of("prove").reasons.push("weakened: an assertion is gone"),
    why: /9: it passed although weakened: an assertion is gone/u,
  },
  {
    name: "a verdict pass with a failed required test",
    change: ({ of }) => {
      failRun(of("green.tests"), added);
      fail(of("green"), added);
    },
    why: /7: it passed although the required test .*takes a discount is failed/u,
  },
  {
    name: "a regression in all records",
    change: ({ of }) => {
      failRun(of("green.tests"), old);
      for (const purpose of ["green", "prove"]) fail(of(purpose), old);
    },
    why: /it passed although .*is empty is failed and passed on the base/u,
  },
  {
    name: "observed ids that did not run",
    change: ({ of }) => void of("green.tests").observed.push("test/cart.test.js::never ran"),
    why: /4: it observed test\/cart\.test\.js::never ran, which has no result/u,
  },
  {
    name: "a result that was not observed",
    change: ({ of }) => void of("green.tests").observed.pop(),
    why: /4: it has a result of .*, which it did not observe/u,
  },
  {
    name: "two results of a required test",
    change: ({ of }) => {
      const { tests } = of("green");
      tests.push({ ...resultOf(of("green"), added), status: "skipped" });
    },
    why: /7: the required test .*takes a discount has two results/u,
  },
  {
    name: "a required id renamed in GREEN",
    change: ({ of }) => void (of("green").required = [`${added}!`]),
    why: /7: it passed without the required test .*takes a discount!/u,
  },
  {
    name: "a required id renamed in GREEN and its run",
    change: ({ of }) => {
      for (const purpose of ["green.tests", "green"]) {
        resultOf(of(purpose), added).id = `${added}!`;
        Object.assign(of(purpose), {
          required: [`${added}!`],
          observed: of(purpose).tests.map(({ id }) => id),
        });
      }
    },
    why: /7: it does not require test\/discount\.test\.js::takes a discount, which RED required/u,
  },
  {
    name: "a proof that requires no test",
    change: ({ of, statement }) => {
      of("prove").required = [];
      statement.required = [];
    },
    why: /9: it requires no test, and .*\/3 test\/discount/u,
  },
  {
    name: "a required id renamed in the statement",
    change: ({ statement }) => void (statement.required = [`${added}!`]),
    why: /^the bundle and the record do not require the same tests: .*takes a discount!/u,
  },
  {
    name: "a proof of more than its GREEN required",
    change: ({ of, statement }) => {
      of("prove").required.push(old);
      statement.required.push(old);
    },
    why: /9: it requires .*is empty, and .*\/3 /u,
  },
];
