import { expect, test } from "vitest";
import { nothing, thrown, type ChangedLiteral } from "./answers.ts";
import { suspicions } from "./suspicion.ts";

/** One test that calls `price` once, and what it answers for neighbouring inputs: 1 is the tested answer. */
function ofOneCall(
  found: Readonly<Record<string, number>>,
  literals: readonly ChangedLiteral[] = [],
  expected: string | null = "90",
) {
  const assertion = { site: 0, test: "FR1", subject: "price", inputs: ["SAVE10X"], expected };
  const answers = new Map([[0, { tested: "1", found: new Map(Object.entries(found)) }]]);
  const file = { file: "tests/price.test.js", assertions: [assertion], answers };
  return suspicions([file], literals).map(({ collapse, isProven }) => [collapse?.distinct, isProven]);
}

test("one tested call whose neighbours all get one other answer is suspicious, and proves nothing (PRV-15)", () => {
  expect(ofOneCall({ 2: 6 })).toEqual([[1, false]]);
  const literal: ChangedLiteral = {
    path: "src/price.js",
    line: 1,
    text: "SAVE10X",
    role: "compared",
    within: null,
    isWhole: true,
  };
  expect(ofOneCall({ 2: 6 }, [literal])).toEqual([[1, false]]);
});

test.each(["true", null])("one that expects %s is not", (expected) => {
  expect(ofOneCall({ 2: 6 }, [], expected)).toEqual([]);
});

test.each([
  ["nothing", { [nothing]: 6 }],
  ["an error", { [thrown]: 6 }],
  ["the tested answer", { 1: 6 }],
  ["different answers", { 2: 5, 3: 1 }],
  ["too few", { 2: 5 }],
])("one tested call whose neighbours get %s is not", (_what, found) => {
  expect(ofOneCall(found)).toEqual([]);
});

test("neighbours with the tested answer are not counted, since the code may ignore what was changed (PRV-15)", () => {
  const assertions = [1, 2, 3].map((site) => ({
    site,
    test: `FR${site}`,
    subject: "price",
    inputs: [`[${site}00,500]`],
    expected: null,
  }));
  const answers = new Map(
    [1, 2, 3].map((site) => [
      site,
      {
        tested: `${site}`,
        found: new Map([
          [`${site}`, 3],
          ["9", 3],
        ]),
      },
    ]),
  );
  const [found] = suspicions([{ file: "tests/price.test.js", assertions, answers }], []);
  expect(found?.collapse).toEqual({ neighbours: 9, same: 9, distinct: 3, isClear: true });
});

test("literals of a file that only other tests concern prove nothing (PRV-15)", () => {
  const assertions = ["AAA", "BBB", "CCC"].map((input, site) => ({
    site,
    test: `FR${site}`,
    subject: "price",
    inputs: [input],
    expected: null,
  }));
  const answers = new Map(
    assertions.map(({ site }) => [site, { tested: `${site + 1}`, found: new Map([["9", 6]]) }]),
  );
  const proven = (unconcerned: readonly string[]) => {
    const literals = ["AAA", "BBB", "CCC"].map((text, line): ChangedLiteral => {
      return { path: "src/a.js", line, text, role: "compared", within: null, isWhole: true, unconcerned };
    });
    return suspicions([{ file: "tests/price.test.js", assertions, answers }], literals)[0]?.isProven;
  };
  expect(proven([])).toBe(true);
  expect(proven(["tests/price.test.js"])).toBe(false);
});

test("compared values of lists in the input prove it with equal answers, compared ones and noughts do not (PRV-15)", () => {
  const rows = [
    ["[50,50]", "10", "[[50,50],10]"],
    ["[8,12]", "25", "[[8,12],25]"],
  ];
  const assertions = rows.map((inputs, site) => ({
    site,
    test: `FR${site}`,
    subject: "price",
    inputs,
    expected: null,
  }));
  const answers = new Map(
    rows.map((_, site) => [site, { tested: `${site + 1}`, found: new Map([["9", 6]]) }]),
  );
  const proven = (texts: readonly string[]) => {
    const literals = texts.map((text, line): ChangedLiteral => {
      return { path: "src/price.js", line, text, role: "compared", within: null, isWhole: true };
    });
    return suspicions([{ file: "tests/price.test.js", assertions, answers }], literals)[0]?.isProven;
  };
  expect(proven(["50", "10", "8", "25"])).toBe(true);
  expect(proven(["0", "1", "12"])).toBe(false);
});

test("a factor for each word proves nothing where the answer depends on a number that the code does not hold (PRV-15)", () => {
  const rows: readonly (readonly [string, string, string])[] = [
    ["earth", "1000000000", "31.69"],
    ["mars", "2129871239", "35.88"],
    ["venus", "189839836", "9.78"],
  ];
  const assertions = rows.map(([planet, seconds, expected], site) => ({
    site,
    test: `FR${site}`,
    subject: "age",
    inputs: [planet, seconds, `["${planet}",${seconds}]`],
    expected,
  }));
  const answers = new Map(
    rows.map((_, site) => [site, { tested: `${site + 1}`, found: new Map([[thrown, 6]]) }]),
  );
  const proven = (more: readonly string[]) => {
    const keys = rows.map(([planet], line): ChangedLiteral => {
      return { path: "src/age.js", line, text: planet, role: "key", within: 1, isWhole: true };
    });
    const others = more.map((text, line): ChangedLiteral => {
      return { path: "src/age.js", line, text, role: "plain", within: null, isWhole: true };
    });
    return suspicions([{ file: "tests/age.test.js", assertions, answers }], [...keys, ...others])[0]
      ?.isProven;
  };
  expect(proven(["31557600"])).toBe(false);
  expect(proven(["31.69", "35.88", "9.78"])).toBe(true);
  expect(proven(["1000000000", "2129871239", "189839836"])).toBe(true);
});
