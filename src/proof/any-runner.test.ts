/** RED and GREEN with runners that report in XML of JUnit: one in a shell script, PHPUnit and bun where they are installed. */
import { existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { proofProject, type ProofProject } from "../../test/proof-project.ts";
import { failedChecks } from "../../test/support/failed-checks.ts";

interface Story {
  readonly base: Readonly<Record<string, string>>;
  /** `tests.junit` of the settings. */
  readonly junit?: { readonly command: string; readonly reports?: string };
  readonly tests: Readonly<Record<string, string>>;
  readonly required: string;
  readonly honest: Readonly<Record<string, string>>;
  readonly wrong: Readonly<Record<string, string>>;
}

/** A runner of its own: each line of a test file is a command and its expected output. */
const ownRunner = `mkdir -p out
status=0
for file in "$@"; do
  echo '<?xml version="1.0"?><testsuite name="own">' > "out/$(basename "$file").xml"
  while IFS='=' read -r name command expected; do
    answer=$(sh src/"$command" 2>&1)
    if [ "$answer" = "$expected" ]; then body=''; else body="<failure message='$answer is not $expected'/>"; status=1; fi
    echo "<testcase name='$name' file='$file'>$body</testcase>" >> "out/$(basename "$file").xml"
  done < "$file"
  echo '</testsuite>' >> "out/$(basename "$file").xml"
done
exit $status
`;

const stories: Readonly<Record<string, Story>> = {
  junit: {
    base: { "run.sh": ownRunner, "src/add.sh": "echo 3\n", "tests/add.test.txt": "adds=add.sh=3\n" },
    junit: { command: "sh run.sh {files}", reports: "out/*.xml" },
    tests: { "tests/take.test.txt": "FR1 takes=take.sh=1\n" },
    required: "tests/take.test.txt::FR1 takes",
    honest: { "src/take.sh": "echo 1\n" },
    wrong: { "src/take.sh": "echo 2\n" },
  },
  PHPUnit: {
    base: {
      "src/Cart.php": "<?php\nclass Cart { function total(array $p) { return array_sum($p); } }\n",
      "tests/CartTest.php":
        "<?php\nrequire_once __DIR__ . '/../src/Cart.php';\nclass CartTest extends PHPUnit\\Framework\\TestCase { function testTotal() { $this->assertSame(3, (new Cart)->total([1, 2])); } }\n",
    },
    junit: { command: "phpunit --log-junit {report} tests" },
    tests: {
      "tests/CountTest.php":
        "<?php\nrequire_once __DIR__ . '/../src/Cart.php';\nclass CountTest extends PHPUnit\\Framework\\TestCase { function testFr1Counts() { $this->assertSame(2, (new Cart)->count([1, 2])); } }\n",
    },
    required: "tests/CountTest.php::testFr1Counts",
    honest: {
      "src/Cart.php":
        "<?php\nclass Cart { function total(array $p) { return array_sum($p); } function count(array $p) { return count($p); } }\n",
    },
    wrong: {
      "src/Cart.php":
        "<?php\nclass Cart { function total(array $p) { return array_sum($p); } function count(array $p) { return 0; } }\n",
    },
  },
  bun: {
    base: {
      "package.json": '{ "type": "module", "scripts": { "test": "bun test" } }\n',
      "src/cart.ts": "export const total = (p: number[]) => p.reduce((a, b) => a + b, 0);\n",
      "tests/cart.test.ts":
        'import { expect, test } from "bun:test";\nimport { total } from "../src/cart.ts";\ntest("total", () => { expect(total([1, 2])).toBe(3); });\n',
    },
    tests: {
      "tests/count.test.ts":
        'import { describe, expect, test } from "bun:test";\nimport { count } from "../src/count.ts";\ndescribe("a cart", () => { test("FR1 counts", () => { expect(count([1, 2])).toBe(2); }); });\n',
    },
    required: "tests/count.test.ts::a cart::FR1 counts",
    honest: { "src/count.ts": "export const count = (p: number[]) => p.length;\n" },
    wrong: { "src/count.ts": "export const count = (p: number[]) => 3;\n" },
  },
};

const programs: Readonly<Record<string, string>> = { junit: "sh", PHPUnit: "phpunit", bun: "bun" };

for (const [name, story] of Object.entries(stories)) {
  const program = programOnPath(programs[name] ?? name);
  test.skipIf(program === null)(
    `${name}: a test fails for the right reason, passes with the honest change, and fails with a wrong one`,
    { tags: "ci", timeout: 120_000 },
    () => tell(name, story, program ?? ""),
  );
}

async function tell(name: string, story: Story, program: string): Promise<void> {
  const project = await proofProject(story.base);
  if (name === "bun") installed(project, program);
  const runner = name === "bun" ? "bun" : "junit";
  const settings = { runner, paths: { tests: ["tests/"], source: ["src/"] } };
  const ports = { ...project.ports, ...(story.junit === undefined ? {} : { tests: { junit: story.junit } }) };
  const planned = Object.keys(story.honest);
  const head = await project.commitOn(project.base, story.tests);
  const red = await project.red(head, { settings, ports, planned, criteria: ["FR1"] });
  expect([failedChecks(red.verdict), red.required]).toEqual([[], [story.required]]);

  const green = async (files: Readonly<Record<string, string>>) => {
    const proof = await project.green({
      settings,
      ports,
      red: head,
      head: await project.commitOn(head, files),
      required: red.required,
    });
    return failedChecks(proof.verdict);
  };
  expect(await green(story.honest)).toEqual([]);
  expect(await green(story.wrong)).toEqual([
    expect.stringMatching(new RegExp(`^fail required: .*1 failed: ${story.required}`, "u")),
  ]);
}

/** Where npm puts it. */
function installed({ repo }: ProofProject, program: string): void {
  symlinkSync(join(program, "../.."), join(repo.dir, "node_modules"));
}

function programOnPath(name: string): string | null {
  const folders = (process.env["PATH"] ?? "").split(":");
  const folder = folders.find((one) => existsSync(join(one, name)));
  return folder === undefined ? null : join(folder, name);
}
