/** The source text of canaries of Go and Rust; see canary.ts. */
import { basename } from "node:path";
import { canaryNames, type CanaryNames } from "./canary-names.ts";

/** Goes into the package of the test file, whose other files are compiled with it. */
function goCanary(text: string, names: CanaryNames): CanarySource {
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
function rustCanary(file: string, names: CanaryNames): CanarySource | null {
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

export interface TestFileText {
  readonly file: string;
  readonly text: string;
  /** Names of the files in the same folder. */
  readonly beside: ReadonlySet<string>;
}

/** Null for a runner without canary. */
export function canarySource(runner: string, { file, text, beside }: TestFileText): CanarySource | null {
  const names = canaryNames(basename(file), text, beside);
  if (runner === "go") return goCanary(text, names);
  return runner === "cargo" ? rustCanary(file, names) : null;
}

export interface CanarySource {
  /** Name of a file beside the test file. */
  readonly name: string;
  readonly content: string;
  /** Titles with which the ids of its tests end. */
  readonly titles: readonly string[];
}
