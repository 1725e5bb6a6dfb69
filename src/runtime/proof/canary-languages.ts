/** Canaries of Python, Go and Rust; see canary-source.ts. */
import { newId } from "../../lib/ids.ts";
import type { CanarySource } from "./canary-source.ts";

/** The file beside it is loaded as a module of its own, so that what it brings with it is there. */
export function pythonCanary(name: string, runner: "pytest" | "unittest"): CanarySource {
  const functions = ["assert 1 == 2", "assert {'a': 1} == {'a': 2}", "with pytest.raises(ValueError): pass"];
  const methods = [
    "self.assertEqual(1, 2)",
    "self.assertEqual({'a': 1}, {'a': 2})",
    "self.assertTrue(False)",
  ];
  return {
    name: `mettle_canary_${newId()}_test.py`,
    content: [
      "import importlib.util, os, unittest",
      ...(runner === "pytest" ? ["import pytest"] : []),
      `path = os.path.join(os.path.dirname(os.path.abspath(__file__)), ${JSON.stringify(name)})`,
      'place = importlib.util.spec_from_file_location((__package__ + "." if __package__ else "") + "mettle_tested", path)',
      "place.loader.exec_module(importlib.util.module_from_spec(place))",
      ...(runner === "pytest"
        ? functions.flatMap((body, at) => [`def test_mettle_canary_${at}():`, `    ${body}`])
        : []),
      "class MettleCanary(unittest.TestCase):",
      ...methods.flatMap((body, at) => [`    def test_mettle_canary_${at}(self):`, `        ${body}`]),
      "",
    ].join("\n"),
  };
}

/** Stands in the package of the test file, whose other files are compiled with it. */
export function goCanary(text: string): CanarySource {
  const id = newId();
  const bodies = ['if 1 != 2 { t.Error("1 is not 2") }', 't.Fatal("stop")'];
  return {
    name: `mettle_canary_${id}_test.go`,
    content: [
      `package ${/^package\s+(\w+)/m.exec(text)?.[1] ?? "main"}`,
      'import "testing"',
      ...bodies.map((body, at) => `func TestMettleCanary_${id}_${at}(t *testing.T) { ${body} }`),
      "",
    ].join("\n"),
  };
}

/** Null for tests beside their unit: no other file can hold them. */
export function rustCanary(file: string): CanarySource | null {
  const name = /(?:^|\/)tests\/([^/]+\.rs)$/.exec(file)?.[1];
  if (name === undefined) return null;
  const bodies = ["assert_eq!(1, 2)", "assert!(1 == 2)", "assert_ne!(1, 1)"];
  return {
    name: `mettle_canary_${newId()}.rs`,
    content: [
      `#[allow(dead_code)] #[path = ${JSON.stringify(name)}] mod tested;`,
      ...bodies.map((body, at) => `#[test] fn mettle_canary_${at}() { ${body}; }`),
      "",
    ].join("\n"),
  };
}
