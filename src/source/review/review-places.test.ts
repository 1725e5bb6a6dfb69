import { describe, expect, test } from "vitest";
import { placesToReview } from "./review-places.ts";

const places = (path: string, after: string, before = "") =>
  placesToReview({ path, before, after }).map(({ code, line, text }) => `${code} ${line} ${text}`);

describe("marks that keep tools away", () => {
  test.each([
    ["a.js", "const a = 1;\n/* c8 ignore start */\n", "2 c8 ignore"],
    ["a.ts", "// @ts-nocheck\n", "1 @ts-nocheck"],
    ["a.tsx", "x(); // eslint-disable-line no-undef\n", "1 eslint-disable"],
    ["a.py", "def f():  # pragma: no cover\n", "1 pragma: no cover"],
    ["a.py", "x = f()  # type: ignore[attr]\n", "1 type: ignore"],
    ["a.go", "f() //nolint:errcheck\n", "1 nolint"],
    ["a.rs", "#[allow(dead_code)]\n", "1 #[allow(dead_code)]"],
  ])("%s: %s", (path, text, found) => {
    expect(places(path, text)).toEqual([`ignore_marks ${found}`]);
  });

  test.each([
    ["a.js", "// Prices below zero are ignored by the shop.\nconst text = 'c8 ignore';\n"],
    ["a.py", "# noqa_rules are read elsewhere\nname = 'type: ignore'\n"],
    ["a.md", "/* c8 ignore next */\n"],
  ])("%s has none: %s", (path, text) => {
    expect(places(path, text)).toEqual([]);
  });

  test("a mark that was there already is not added", () => {
    expect(places("a.js", "/* c8 ignore next */\nf();\n", "/* c8 ignore next */\n")).toEqual([]);
  });
});

describe("programs that the source starts", () => {
  test.each([
    ["a.js", 'import { execFileSync } from "node:child_process";\nexecFileSync("ls");\n', "2 execFileSync"],
    ["a.js", 'import * as cp from "child_process";\nlet a = cp.spawn("ls");\n', "2 cp.spawn"],
    ["a.ts", 'const { promisify } = util;\nimport { exec } from "node:child_process";\n', "2 exec"],
    ["a.js", 'import { execa } from "execa";\nawait execa("ls");\n', "2 execa"],
    ["a.py", "import subprocess\n\nsubprocess.run(['ls'])\n", "3 subprocess.run"],
    ["a.py", "from subprocess import check_output\n", "1 subprocess"],
    ["a.py", "import os\nos.system('ls')\n", "2 os.system"],
    ["a.go", 'out := exec.Command("ls")\n', "1 exec.Command"],
    ["a.rs", 'let out = Command::new("ls");\n', "1 Command::new"],
  ])("%s: %s", (path, text, found) => {
    expect(places(path, text)).toEqual([`starts_program ${found}`]);
  });

  test.each([
    ["a.js", "const [found] = /a/.exec(text);\nspawn(1);\n"],
    ["a.js", 'import { ok } from "node:assert";\n// execFileSync("ls") of child_process\n'],
    ["a.py", "# subprocess.run starts a program\nname = 'os.system'\n"],
    ["a.py", "os.path.join('a', 'b')\n"],
  ])("%s has none: %s", (path, text) => {
    expect(places(path, text)).toEqual([]);
  });

  test("a start that was there already is no finding, a new one beside it is", () => {
    const before = 'import { spawn } from "node:child_process";\nspawn("a");\n';
    expect(places("a.js", `${before}const b = 1;\n`, before)).toEqual([]);
    expect(places("a.js", `${before}spawn("b");\n`, before)).toEqual(["starts_program 3 spawn"]);
  });
});

describe("errors that are swallowed", () => {
  test.each([
    ["a.js", "try {\n  f();\n} catch {\n  return 0;\n}\n", "3 catch"],
    ["a.js", "try { f(); } catch (error) { result = {}; }\n", "1 catch (error)"],
    ["a.ts", "try { f(); } catch (error: unknown) {}\n", "1 catch (error: unknown)"],
    ["a.js", "const a = await f().catch(() => null);\n", "1 .catch(() => null)"],
    ["a.js", "f().catch(() => {});\n", "1 .catch(() => {})"],
    ["a.py", "try:\n    f()\nexcept Exception:\n    return 0\n", "3 except Exception"],
    ["a.py", "try:\n    f()\nexcept:\n    pass\n", "3 except"],
    [
      "a.py",
      "try:\n    f()\nexcept (ValueError, Exception) as e: x = 1\n",
      "3 except (ValueError, Exception) as e",
    ],
    ["a.py", "with suppress(Exception):\n    f()\n", "1 suppress(Exception)"],
  ])("%s: %s", (path, text, found) => {
    expect(places(path, text)).toEqual([`swallowed_errors ${found}`]);
  });

  test.each([
    ["a.js", "try { f(); } catch (error) { throw new Wrong(error); }\n"],
    ["a.js", "try { f(); } catch (error) { return error.code; }\n"],
    ["a.js", "try { f(); } catch { report(); return 0; }\n"],
    ["a.js", "f().catch((error) => log(error));\nf().catch(report);\n"],
    ["a.js", 'const text = "try {} catch {}"; // catch {}\n'],
    ["a.py", "try:\n    f()\nexcept ValueError:\n    return 0\n"],
    ["a.py", "try:\n    f()\nexcept Exception as error:\n    log(error)\n    return 0\n"],
    ["a.py", "try:\n    f()\nexcept Exception:\n    raise\n"],
  ])("%s has none: %s", (path, text) => {
    expect(places(path, text)).toEqual([]);
  });

  test("a clause that was there already is no finding", () => {
    const text = "try {\n  f();\n} catch {\n  return 0;\n}\n";
    expect(places("a.js", `${text}g();\n`, text)).toEqual([]);
  });
});

describe("frames of the caller", () => {
  test.each([
    ["a.py", "import sys\nvalue = sys._getframe(1).f_code\n", "2 _getframe"],
    ["a.py", "import inspect\nframe = inspect.stack()[1]\n", "2 inspect.stack"],
    ["a.js", "const line = new Error().stack.split('\\n')[2];\n", "1 new Error().stack"],
    ["a.js", "Error.prepareStackTrace = (_, sites) => sites;\n", "1 prepareStackTrace"],
  ])("%s: %s", (path, text, found) => {
    expect(places(path, text)).toEqual([`reads_caller ${found}`]);
  });

  test.each([
    ["a.js", "log(error.stack);\nError.captureStackTrace(this, Own);\n"],
    ["a.py", "raise ValueError('sys._getframe')\n"],
  ])("%s has none: %s", (path, text) => {
    expect(places(path, text)).toEqual([]);
  });
});
