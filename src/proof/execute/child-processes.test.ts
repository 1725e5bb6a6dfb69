/** Programs that a test starts come from the commit, even if the user's own checkout is installed or linked (fault R1). */
import { chmod, mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { proofProject, type ProofProject } from "../../../test/proof-project.ts";
import { newFolder } from "../../../test/support/folder.ts";
import { programOf } from "../../evidence/fixtures/run-native.ts";
import { unittest } from "../../evidence/runners/unittest.ts";
import { run } from "../../process/run.ts";
import { inCi } from "../../../test/verifies.ts";

const python = await programOf(unittest);

async function results(project: ProofProject, path = project.repository.path): Promise<readonly string[]> {
  const repository = { ...project.repository, path };
  const { suite } = await project.own({ ports: { repository } });
  return suite.report.tests.map(({ id, status, message }) =>
    `${status} ${id.split("::").at(-1)} ${message}`.trim(),
  );
}

const unittests = `
import subprocess, sys, tempfile
import unittest

class Children(unittest.TestCase):
    def output(self, *argv):
        return subprocess.check_output(argv, cwd=tempfile.gettempdir(), text=True).strip()

    def test_module(self):
        self.assertEqual(self.output(sys.executable, "-m", "tool"), "committed renamed namespace")

    def test_console_script(self):
        self.assertEqual(self.output("tool"), "committed renamed namespace")

    def test_in_process(self):
        from tool.__main__ import words
        self.assertEqual(words(), "committed renamed namespace")

    def test_what_is_not_committed(self):
        code = "import spaces.later"
        self.assertNotEqual(subprocess.call([sys.executable, "-c", code], stderr=subprocess.DEVNULL), 0)

    def test_library_is_not_hidden(self):
        self.output(sys.executable, "-c", "import calendar; calendar.month")
`;

test.skipIf(python === null)(
  "python: an editable installation leads to the commit",
  { tags: "ci" },
  async () => {
    const project = await proofProject({
      "src/tool/__init__.py": "",
      "src/tool/__main__.py":
        'import real, spaces.one\ndef words():\n    return "committed " + real.word + " " + spaces.one.word\nif __name__ == "__main__":\n    print(words())\n',
      "other/real_name/__init__.py": 'word = "renamed"\n',
      "parts/spaces/one.py": 'word = "namespace"\n',
      "calendar.py": "",
      "tests/test_children.py": unittests,
    });
    const venv = newFolder();

    const { dir } = project.repo;
    const made = await run(python?.path ?? "", ["-m", "venv", "--without-pip", venv], {
      cwd: venv,
      env: {},
      timeoutMs: 60_000,
    });
    expect(made.exitCode).toBe(0);
    const [version = ""] = await readdir(join(venv, "lib"));
    const site = join(venv, "lib", version, "site-packages");
    await writeFile(join(site, "__editable__.tool.pth"), `${dir}/src\n${dir}/parts\n`);
    await writeFile(
      join(site, "__editable__.real.pth"),
      "import __editable___real_finder; __editable___real_finder.install()\n",
    );
    await writeFile(
      join(site, "__editable___real_finder.py"),
      `import sys
from importlib.util import spec_from_file_location
MAPPING = {"real": ${JSON.stringify(join(dir, "other/real_name"))}}
class _EditableFinder:
    @classmethod
    def find_spec(cls, fullname, path=None, target=None):
        if fullname in MAPPING:
            return spec_from_file_location(fullname, MAPPING[fullname] + "/__init__.py")
def install():
    sys.meta_path.append(_EditableFinder)
`,
    );
    const script = join(venv, "bin/tool");
    await writeFile(script, `#!${venv}/bin/python3\nfrom tool.__main__ import words\nprint(words())\n`);
    await chmod(script, 0o755);
    // The user continues to work.
    await project.repo.write({
      "src/tool/__main__.py": 'print("somebody is working on it")\n',
      "other/real_name/__init__.py": 'word = "somebody"\n',
      "parts/spaces/one.py": 'word = "somebody"\n',
      "parts/spaces/later.py": "",
    });
    expect(await results(project, `${venv}/bin:${project.repository.path}`)).toEqual([
      "passed test_console_script",
      "passed test_in_process",
      "passed test_library_is_not_hidden",
      "passed test_module",
      "passed test_what_is_not_committed",
    ]);
  },
);

inCi("node: programs of the project, of its packages and by path come from the commit", async () => {
  const cli = (word: string) => `#!/usr/bin/env node\nconsole.log(${JSON.stringify(word)});\n`;
  const project = await proofProject({
    "package.json":
      '{ "name": "shop", "type": "module", "bin": "bin/shop.js", "workspaces": ["packages/*"], "exports": "./bin/shop.js" }',
    "bin/shop.js": cli("shop committed"),
    "packages/tool/package.json": '{ "name": "tool", "bin": { "shop-tool": "cli.js" } }',
    "packages/tool/cli.js": cli("tool committed"),
    "tests/children.test.js": `
import test from "node:test";
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
const output = (...argv) => execFileSync(argv[0], argv.slice(1), { encoding: "utf8", cwd: tmpdir() }).trim();
test("linked globally", () => assert.equal(output("shop"), "shop committed"));
test("of a package", () => assert.equal(output("shop-tool"), "tool committed"));
test("by its path", () => assert.equal(output(process.execPath, import.meta.resolve("tool/cli.js").slice(7)), "tool committed"));
`,
  });

  const { dir } = project.repo;
  const link = async (target: string, place: string) => {
    await mkdir(dirname(place), { recursive: true });
    await symlink(target, place);
  };
  await link("../packages/tool", join(dir, "node_modules/tool"));
  await link("../tool/cli.js", join(dir, "node_modules/.bin/shop-tool"));
  await project.repo.write({
    "bin/shop.js": cli("somebody is working on it"),
    "packages/tool/cli.js": cli("somebody is working on it"),
  });
  await chmod(join(dir, "packages/tool/cli.js"), 0o755);
  expect(await results(project)).toEqual([
    "passed linked globally",
    "passed of a package",
    "passed by its path",
  ]);
});
