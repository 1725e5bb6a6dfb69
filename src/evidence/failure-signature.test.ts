import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { failureSignature, normaliseMessage } from "./failure-signature.ts";
import type { TestReport } from "./test-result.ts";

/** The parts that differ between two runs of the same failing code. */
interface Moment {
  readonly line: number;
  readonly column: number;
  readonly folder: string;
  readonly port: number;
  readonly hex: number;
  readonly ms: number;
  readonly time: Date;
  readonly uuid: string;
}

const moment: fc.Arbitrary<Moment> = fc.record({
  line: fc.integer({ min: 1, max: 99_999 }),
  column: fc.integer({ min: 1, max: 500 }),
  folder: fc.stringMatching(/^[A-Za-z][A-Za-z0-9_-]{0,12}$/),
  port: fc.integer({ min: 1024, max: 65_535 }),
  hex: fc.integer({ min: 0, max: 0xffffffff }),
  ms: fc.integer({ min: 0, max: 1e6 }),
  time: fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }),
  uuid: fc.uuid(),
});

const messages: readonly ((at: Moment) => string)[] = [
  ({ line, column, folder }) => `expected 1 to be 2 at /tmp/${folder}/src/add.ts:${line}:${column}`,
  ({ line, column }) => `SyntaxError in src/add.ts:${line}:${column}, add.ts:${line} (line ${line})`,
  ({ port }) => `connect ECONNREFUSED 127.0.0.1:${port} and localhost:${port}, port ${port}, [::1]:${port}`,
  ({ port, folder }) => `GET http://127.0.0.1:${port}/${folder} failed`,
  ({ hex }) => `pointer 0x${hex.toString(16)} is dangling`,
  ({ ms }) => `took ${ms}ms, ${ms / 10} s and ${ms} milliseconds`,
  ({ time }) => `at ${time.toISOString()}, that is ${time.toISOString().slice(11, 19)}`,
  ({ uuid }) => `request ${uuid} was lost`,
  ({ folder, line }) =>
    `Cannot find module '/home/${folder}/x/y.js' from file:///home/${folder}/z.js:${line}`,
];

function failing(message: string, id = "a.test.js::a"): TestReport {
  return {
    report: true,
    tests: [{ id, status: "failed", kind: "assertion", message, frames: [] }],
    loadErrors: [],
    problems: [],
  };
}

test.each(messages.map((message, index) => [index, message] as const))(
  "the moment of a run changes no signature (%i)",
  (_index, message) => {
    fc.assert(
      fc.property(moment, moment, (one, other) => {
        expect(failureSignature(failing(message(one)))).toBe(failureSignature(failing(message(other))));
      }),
      { numRuns: 200 },
    );
  },
);

describe("a different failure has a different signature", () => {
  test.each([
    ["the values differ", failing("expected 1 to be 2"), failing("expected 3 to be 2")],
    ["the words differ", failing("x is not a function"), failing("x is not iterable")],
    ["the route differs", failing("GET /login gives 500"), failing("GET /logout gives 500")],
    ["the test differs", failing("boom"), failing("boom", "a.test.js::b")],
    ["fewer tests fail", failing("boom"), two()],
    [
      "a file stopped loading",
      failing("boom"),
      { ...failing("boom"), loadErrors: [{ file: "b.test.js", message: "boom" }] },
    ],
  ])("%s", (_name, one, other) => {
    expect(failureSignature(one)).not.toBe(failureSignature(other));
  });
});

test("the order of tests and the passed tests do not affect the signature", () => {
  const { tests } = two();
  const passed = { id: "c::c", status: "passed" as const, kind: null, message: "", frames: [] };
  const turned = { ...two(), tests: [passed, ...[...tests].reverse()] };
  expect(failureSignature(turned)).toBe(failureSignature(two()));
});

test("a run without failure has no signature", () => {
  expect(failureSignature({ report: true, tests: [], loadErrors: [], problems: [] })).toBeNull();
});

test("different sets of failing tests never share a signature", () => {
  const ids = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(ids, ids, (one, other) => {
      const same = JSON.stringify([...one].sort()) === JSON.stringify([...other].sort());
      expect(failureSignature(many(one)) === failureSignature(many(other))).toBe(same);
    }),
  );
});

test("a normalised message stays readable", () => {
  const message = "AssertionError at /work/x/src/add.ts:12:3: expected 'a/b' to be 3 after 20ms (pid 77)";
  expect(normaliseMessage(message)).toBe(
    "AssertionError at <path>: expected 'a/b' to be 3 after <time> (pid <n>)",
  );
});

function two(): TestReport {
  return many(["a.test.js::a", "a.test.js::b"]);
}

function many(ids: readonly string[]): TestReport {
  return { ...failing(""), tests: ids.flatMap((id) => failing("boom", id).tests) };
}
