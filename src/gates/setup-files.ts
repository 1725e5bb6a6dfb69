/**
 * Files that run with the tests since a configuration or a script names them: setup, environments, mocks. Names are read from
 * the text, through variables and calls of `path`; whether there is such a file decides about each. Pure.
 */
import { joinBelow } from "../source/module-paths.ts";

/** Whose values name files that decide how tests run. */
const keys = new Set([
  "setupFiles",
  "setupFilesAfterEnv",
  "globalSetup",
  "globalTeardown",
  "setupTestFrameworkScriptFile",
  "environment",
  "testEnvironment",
  "transform",
  "resolver",
  "runner",
  "testRunner",
  "preset",
  "sequencer",
  "testSequencer",
  "snapshotSerializers",
  "snapshotResolver",
  "snapshotEnvironment",
  "reporters",
  "diff",
  "testResultsProcessor",
]);
const mochaKeys = new Set(["require", "file", "import", "loader", "reporter", "ui"]);
/** Options of a script whose next word is a file that is loaded first. */
const preloads =
  /(?:^|\s)(?:--import|--require|-r|--loader|--experimental-loader|--file|--setupFiles|--globalSetup|-p)(?:=|\s+)(\S+)/gu;

/** Longer than any configuration that somebody wrote. */
const mostText = 256 * 1024;

/** Names as they stand in a configuration, from its folder on: with or without ending, also of packages. */
export function setupNames(whole: string, path: string): readonly string[] {
  const text = whole.slice(0, mostText);
  const name = path.split("/").at(-1) ?? path;
  if (name === "package.json") return namesInManifest(text);
  if (/\.(?:py|ini|toml|cfg)$/u.test(name)) return pythonPlugins(text);
  if (/^\.mocharc(?:\.(?:ya?ml|jsonc?))?$/u.test(name)) return namesInYaml(text);
  return namesInCode(text, /^\.mocharc\b/u.test(name) ? mochaKeys : keys);
}

/** The files of a project that a name may stand for. */
export function filesNamed(
  folder: string,
  name: string,
  files: { has(path: string): boolean },
): readonly string[] {
  const path = joinBelow(folder, name);
  const tried = ["", ...endings, ...endings.map((ending) => `/index${ending}`), "/__init__.py"];
  return tried.map((ending) => `${path}${ending}`).filter((one) => files.has(one));
}

const endings = ["js", "mjs", "cjs", "ts", "mts", "cts", "jsx", "tsx", "json", "py"].map(
  (ending) => `.${ending}`,
);

function namesInManifest(text: string): readonly string[] {
  const read = jsonOf(text);
  if (typeof read !== "object" || read === null) return [];
  const { jest, mocha, vitest, scripts } = read as Readonly<Record<string, unknown>>;
  const section = (value: unknown, of: ReadonlySet<string>) =>
    value === undefined ? [] : namesInCode(JSON.stringify(value), of);
  const entries = typeof scripts === "object" && scripts !== null ? Object.entries(scripts) : [];
  const preloaded = entries
    .flatMap(([name, line]) => (typeof line === "string" && isOfTests.test(`${name} ${line}`) ? [line] : []))
    .flatMap((line) => [...line.matchAll(preloads)].map(([, word = ""]) => word));
  return [...section(jest, keys), ...section(vitest, keys), ...section(mocha, mochaKeys), ...preloaded].map(
    clean,
  );
}

/** Any other script starts the product. */
const isOfTests = /\b(?:test|tests|spec|unit|vitest|jest|mocha|ava)\b/iu;

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // broken: it configures nothing
  }
}

/** `pytest_plugins = ["shop.testing"]`, and `-p shop.testing` of `addopts`. */
function pythonPlugins(text: string): readonly string[] {
  const lists = [
    ...text.matchAll(/^pytest_plugins\s*(?::[^=\n]+)?=\s*([[(][^\])]*[\])]|["'][^"'\n]*["'])/gmu),
  ];
  const modules = [
    ...lists.flatMap(([, list = ""]) =>
      [...list.matchAll(/["']([\w.]+)["']/gu)].map(([, name = ""]) => name),
    ),
    ...[...text.matchAll(/(?:^|[\s"'])-p[\s"',]+(?!no:)([\w.]+)/gu)].map(([, name = ""]) => name),
  ];
  return modules.map((name) => name.replaceAll(".", "/")).flatMap((name) => [name, `src/${name}`]);
}

function namesInYaml(text: string): readonly string[] {
  const lists = text.matchAll(
    /(?:^|[\s{,"'])(?:require|file|import|loader|reporter|ui)["']?\s*:\s*(\[[^\]]*\]|["'][^"']*["']|(?:[^\n"'[]*)(?:\n\s*-\s+[^\n]*)*)/gu,
  );
  return [...lists].flatMap(([, list = ""]) =>
    [...list.matchAll(/[^\s"'`,[\]]+/gu)].map(([name]) => clean(name)),
  );
}

/** What a variable that the value names was given counts too, through so many of them. */
const mostSteps = 4;

function namesInCode(text: string, of: ReadonlySet<string>): readonly string[] {
  const variables = new Map<string, string>();
  for (const found of text.matchAll(/\b(?:const|let|var)\s+([\w$]+)\s*(?::[^=;\n]+)?=\s*/gu))
    variables.set(found[1] ?? "", valueAt(text, found.index + found[0].length));
  const values: string[] = [];
  for (const found of text.matchAll(/(?<![\w$])(["'`]?)([\w$]+)\1\s*(:|(?=[,}]))/gu)) {
    const [all, , key = "", colon] = found;
    if (of.has(key)) values.push(colon === ":" ? valueAt(text, found.index + all.length) : key);
  }
  return [...new Set(values.flatMap((value) => namesInValue(value, variables, mostSteps)))].map(clean);
}

/** An expression, to the comma, the bracket or the semicolon that ends it. */
function valueAt(text: string, from: number): string {
  let depth = 0;
  let quote = "";
  for (let at = from; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (quote !== "") {
      if (sign === "\\") at += 1;
      // No text but a template goes on in the next line: it was a mark in a comment.
      else if (sign === quote || (sign === "\n" && quote !== "`")) quote = "";
      continue;
    }
    if (`"'\``.includes(sign)) quote = sign;
    else if ("([{".includes(sign)) depth += 1;
    else if (")]}".includes(sign)) depth -= 1;
    if (depth < 0 || (depth === 0 && ",;".includes(sign))) return text.slice(from, at);
  }
  return text.slice(from);
}

const texts = /"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/gu;

function namesInValue(
  value: string,
  variables: ReadonlyMap<string, string>,
  steps: number,
): readonly string[] {
  // `join(__dirname, "src", "setup")` names one file by several texts.
  const joined: string[] = [];
  const rest = value.replace(/\(([^()]*)\)/gu, (_call, inside: string) => {
    joined.push(textsIn(inside).join("/"));
    return "()";
  });
  const found = [...textsIn(rest), ...joined.filter((name) => name !== "")];
  if (steps === 0) return found;
  const words = [...value.replaceAll(texts, " ").matchAll(/[\w$]+/gu)].map(([word]) => word);
  const inTexts = [...value.matchAll(/\$\{\s*([\w$]+)\s*\}/gu)].map(([, word = ""]) => word);
  const named = [...new Set([...words, ...inTexts])].flatMap((word) => variables.get(word) ?? []);
  return [...found, ...named.flatMap((one) => namesInValue(one, variables, steps - 1))];
}

function textsIn(value: string): readonly string[] {
  return [...value.matchAll(texts)].map(([, one, two, three]) => one ?? two ?? three ?? "");
}

/** From the folder of the configuration on. */
function clean(name: string): string {
  return name
    .replace(/^\$\{[^}]*\}/u, "")
    .replace(/^<rootDir>/u, "")
    .replace(/^file:\/\//u, "")
    .replace(/^[./]*\/(?=[^/])/u, (start) => (start.startsWith("..") ? start : ""));
}
