/** A whole run in a Python project without any setting, from intake to the end. */
import { beforeAll, describe, expect, test } from "vitest";
import { programOf } from "../../src/evidence/fixtures/run-native.ts";
import { unittest } from "../../src/evidence/runners/unittest.ts";
import { readRecord } from "../../src/run/blocks.ts";
import { act } from "./turns.ts";
import { createWorld, eventsOf, golden, type CassetteFile, type DriveResult, type World } from "./world.ts";

const tests = `import unittest

from slugs import slugify


class Slugs(unittest.TestCase):
    def test_fr1_makes_letters_lower_case(self):
        self.assertEqual(slugify("HELLO"), "hello")

    def test_fr2_joins_words_by_one_hyphen(self):
        self.assertEqual(slugify("Hello,  big world"), "hello-big-world")

    def test_ec1_gives_an_empty_slug_for_an_empty_text(self):
        self.assertEqual(slugify(""), "")

    def test_ec2_drops_separators_at_both_ends(self):
        self.assertEqual(slugify(" - Hello! "), "hello")

    def test_err1_refuses_anything_but_a_string(self):
        with self.assertRaises(TypeError):
            slugify(42)
`;

const architecture = `# Architecture

## File Structure
- \`src/slugs.py\`: the function
- \`tests/test_slugs.py\`: its tests

## Interface
\`slugify(text: str) -> str\`

## TDD Strategy
- FR1: \`test_fr1_makes_letters_lower_case\`
- FR2: joins words by one hyphen
- EC1: gives an empty slug
- EC2: drops separators
- ERR1: refuses anything but a string
`;

const right = `import re


def slugify(text):
    if not isinstance(text, str):
        raise TypeError("slugify takes a string")
    return "-".join(re.findall("[a-z0-9]+", text.lower()))
`;

async function cassette(): Promise<CassetteFile> {
  const { roles, ...rest } = await golden();
  const careless = right.replace(/ {4}if not[^]*?string"\)\n/, "");
  return {
    ...rest,
    roles: {
      ...roles,
      planner: [act("WRITTEN", { write: { ".claude/temp/architecture.md": architecture } })],
      tester: [act("RC", { write: { "tests/test_slugs.py": tests } })],
      // lower() is called on a number too, which raises no TypeError.
      coder: [careless, right].map((source) => act("GC", { write: { "src/slugs.py": source } })),
    },
  };
}

const program = await programOf(unittest);
const deep = process.env["METTLE_DEEP"] !== undefined;

describe.skipIf(program === null || !deep)("a Python project", () => {
  let world: World;
  let driven: DriveResult;
  beforeAll(async () => {
    world = await createWorld({
      "src/old.py": "def old():\n    return 1\n",
      "tests/test_old.py":
        "import unittest\nfrom old import old\n\n\nclass Old(unittest.TestCase):\n    def test_old(self):\n        self.assertEqual(old(), 1)\n",
    });
    driven = await world.go(await cassette());
  }, 240_000);

  test("reaches a verified result by its own runner, with a stub in RED and a refused GREEN", async () => {
    expect(driven.end).toEqual({ type: "ended", outcome: "complete" });
    const judged = eventsOf(driven.events, "gate.judged").filter(({ gate }) =>
      /^(red|green|final)$/.test(gate),
    );
    expect(judged.map(({ gate, verdict }) => `${gate} ${verdict}`)).toEqual([
      "red pass",
      "green fail",
      "green pass",
      "final pass",
    ]);
    expect(judged[1]?.reasons.join()).toContain("tests/test_slugs.py::Slugs::test_err1_refuses");
    const green = eventsOf(driven.events, "record.written").findLast(({ purpose }) => purpose === "green");
    const record = await readRecord(driven.context, green?.id ?? "");
    expect([record?.runner?.name, record?.controls["canary"], record?.required.length]).toEqual([
      "unittest",
      "failed as it must",
      5,
    ]);
  });
});
