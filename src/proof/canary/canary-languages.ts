/** Canaries of Python, Go and Rust; see canary-source.ts. */
import type { CanaryNames } from "./canary-names.ts";

/** Loads the test file as a separate module, so that all its imports run. */
export function pythonCanary(name: string, runner: "pytest" | "unittest", names: CanaryNames): CanarySource {
  const [one, other] = names.numbers();
  const key = names.name();
  const method = (body: string) => ({ title: `test_${names.title("_")}`, body });
  const functions =
    runner === "pytest"
      ? [
          `assert ${one} == ${other}`,
          `assert {'${key}': ${one}} == {'${key}': ${other}}`,
          "with pytest.raises(ValueError): pass",
        ].map(method)
      : [];
  const methods = [
    `self.assertEqual(${one}, ${other})`,
    `self.assertEqual({'${key}': ${one}}, {'${key}': ${other}})`,
    "self.assertTrue(False)",
  ].map(method);
  return {
    name: names.file("_"),
    titles: [...functions, ...methods].map(({ title }) => title),
    content: [
      "import importlib.util, os, unittest",
      ...(runner === "pytest" ? ["import pytest"] : []),
      `path = os.path.join(os.path.dirname(os.path.abspath(__file__)), ${JSON.stringify(name)})`,
      `place = importlib.util.spec_from_file_location((__package__ + "." if __package__ else "") + "${names.name()}", path)`,
      "place.loader.exec_module(importlib.util.module_from_spec(place))",
      ...functions.flatMap(({ title, body }) => [`def ${title}():`, `    ${body}`]),
      `class ${names.type()}(unittest.TestCase):`,
      ...methods.flatMap(({ title, body }) => [`    def ${title}(self):`, `        ${body}`]),
      "",
    ].join("\n"),
  };
}

/** Goes into the package of the test file, whose other files are compiled with it. */
export function goCanary(text: string, names: CanaryNames): CanarySource {
  const [one, other] = names.numbers();
  const bodies = [`if ${one} != ${other} { t.Error("${one} is not ${other}") }`, 't.Fatal("stop")'];
  const written = bodies.map((body) => ({ title: `Test${names.type()}`, body }));
  return {
    name: names.file("_"),
    titles: written.map(({ title }) => title),
    content: [
      `package ${/^package\s+(\w+)/m.exec(text)?.[1] ?? "main"}`,
      'import "testing"',
      ...written.map(({ title, body }) => `func ${title}(t *testing.T) { ${body} }`),
      "",
    ].join("\n"),
  };
}

/** Null for inline tests: no other file can load them. */
export function rustCanary(file: string, names: CanaryNames): CanarySource | null {
  const name = /(?:^|\/)tests\/([^/]+\.rs)$/.exec(file)?.[1];
  if (name === undefined) return null;
  const [one, other] = names.numbers();
  const bodies = [
    `assert_eq!(${one}, ${other})`,
    `assert!(${one} == ${other})`,
    `assert_ne!(${one}, ${one})`,
  ];
  const written = bodies.map((body) => ({ title: names.title("_"), body }));
  return {
    name: names.file("_"),
    titles: written.map(({ title }) => title),
    content: [
      `#[allow(dead_code)] #[path = ${JSON.stringify(name)}] mod ${names.name()};`,
      ...written.map(({ title, body }) => `#[test] fn ${title}() { ${body}; }`),
      "",
    ].join("\n"),
  };
}

export interface CanarySource {
  /** Name of a file beside the test file. */
  readonly name: string;
  readonly content: string;
  /** Titles with which the ids of its tests end. */
  readonly titles: readonly string[];
}
