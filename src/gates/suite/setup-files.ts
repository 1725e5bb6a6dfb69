/**
 * Finds files that run with the tests because a configuration or script names them: setup files, environments, mocks. Reads
 * names from the syntax tree, through variables and calls of `path`; a name counts if such a file exists. Pure.
 */
import { parseJson } from "../../lib/json.ts";
import { joinBelow } from "../../source/module-paths.ts";
import {
  everyNode,
  fieldsOf,
  isNode,
  isScript,
  nodesIn,
  wordOf,
  type Parse,
  type SyntaxNode,
} from "../../source/syntax.ts";

/** Configuration keys whose values name files that affect how tests run. */
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
/** Script options whose next word is a file to load first. */
const preloads =
  /(?:^|\s)(?:--import|--require|-r|--loader|--experimental-loader|--file|--setupFiles|--globalSetup|-p)(?:=|\s+)(\S+)/gu;

/** Longer than any hand-written configuration. */
const maxTextLength = 256 * 1024;

interface Configuration {
  readonly text: string;
  readonly path: string;
  readonly parse: Parse;
}

/** Names as in the configuration, relative to its folder: with or without extension, also of packages. */
export function setupNames({ text, path, parse }: Configuration): readonly string[] {
  const name = path.split("/").at(-1) ?? path;
  if (name === "package.json") return namesInManifest(text, parse);
  if (/\.(?:py|ini|toml|cfg)$/u.test(name)) return pythonPlugins(text.slice(0, maxTextLength));
  if (/^\.mocharc(?:\.ya?ml)?$/u.test(name) && !/^\s*\{/u.test(text))
    return namesInYaml(text.slice(0, maxTextLength));
  return namesInCode({ text, path, parse }, /^\.mocharc\b/u.test(name) ? mochaKeys : keys);
}

/** The existing files that a name may refer to. */
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

function namesInManifest(text: string, parse: Parse): readonly string[] {
  const read = parseJson(text);
  if (typeof read !== "object" || read === null) return [];
  const { jest, mocha, vitest, scripts } = read as Readonly<Record<string, unknown>>;
  const section = (value: unknown, of: ReadonlySet<string>) =>
    value === undefined ? [] : namesInCode({ text: JSON.stringify(value), path: "package.json", parse }, of);
  const entries = typeof scripts === "object" && scripts !== null ? Object.entries(scripts) : [];
  const preloaded = entries
    .flatMap(([name, line]) => (typeof line === "string" && isOfTests.test(`${name} ${line}`) ? [line] : []))
    .flatMap((line) => [...line.matchAll(preloads)].map(([, word = ""]) => word));
  return [...section(jest, keys), ...section(vitest, keys), ...section(mocha, mochaKeys), ...preloaded].map(
    relativeName,
  );
}

/** Other scripts start the product. */
const isOfTests = /\b(?:test|tests|spec|unit|vitest|jest|mocha|ava)\b/iu;

/** `pytest_plugins = ["shop.testing"]`, and `-p shop.testing` in `addopts`. */
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
    [...list.matchAll(/[^\s"'`,[\]]+/gu)].map(([name]) => relativeName(name)),
  );
}

/** Maximum number of variables to follow from a value. */
const maxSteps = 4;

/** Reads code, and JSON as an expression. */
function namesInCode({ text, path, parse }: Configuration, of: ReadonlySet<string>): readonly string[] {
  const program = isScript(path) ? parse(path, text) : parse("config.js", `(${text})`);
  if (program === null) return [];
  const nodes = everyNode(program);
  const variables = new Map<string, SyntaxNode[]>();
  for (const { type, id, init } of nodes) {
    const name = type === "VariableDeclarator" ? wordOf(id) : null;
    if (name !== null && isNode(init)) variables.set(name, [...(variables.get(name) ?? []), init]);
  }
  const values = nodes.flatMap((node): readonly unknown[] => {
    if (node.type === "ObjectProperty") return of.has(wordOf(node["key"]) ?? "") ? [node["value"]] : [];
    const { left } = node;
    const isSet =
      node.type === "AssignmentExpression" && isNode(left) && of.has(wordOf(left["property"]) ?? "");
    return isSet ? [node["right"]] : [];
  });
  return [...new Set(values.flatMap((value) => namesInValue(value, variables, maxSteps)))].map(relativeName);
}

function namesInValue(
  value: unknown,
  variables: ReadonlyMap<string, readonly SyntaxNode[]>,
  steps: number,
): readonly string[] {
  if (!isNode(value)) return [];
  const namesIn = (one: unknown) => namesInValue(one, variables, steps);
  const first = (one: unknown) => namesIn(one)[0] ?? "";
  switch (value.type) {
    case "StringLiteral":
      return [wordOf(value) ?? ""];
    case "TemplateLiteral": {
      const between = nodesIn(value["expressions"]).map(first);
      const texts = nodesIn(value["quasis"]).map((one) => cookedOf(one["value"]));
      return [texts.map((text, index) => `${text}${between[index] ?? ""}`).join("")];
    }
    case "BinaryExpression":
      return [first(value["left"]) + first(value["right"])];
    case "CallExpression":
    case "NewExpression": {
      // `join(__dirname, "src", "setup")` names one file by several strings.
      const given = nodesIn(value["arguments"])
        .map(namesIn)
        .filter((names) => names.length > 0);
      const isOne = given.length > 1 && given.every((names) => names.length === 1);
      const { callee } = value;
      return [
        ...(isOne ? [given.flat().join("/")] : given.flat()),
        ...(isNode(callee) ? namesIn(callee["object"]) : []),
      ];
    }
    case "Identifier":
      if (steps === 0) return [];
      return (variables.get(wordOf(value) ?? "") ?? []).flatMap((one) =>
        namesInValue(one, variables, steps - 1),
      );
    default:
      return fieldsOf(value)
        .filter(([field]) => field !== "key" && field !== "property")
        .flatMap(([, field]) => (isNode(field) ? namesIn(field) : nodesIn(field).flatMap(namesIn)));
  }
}

function cookedOf(value: unknown): string {
  return (value as { readonly cooked?: string } | undefined)?.cooked ?? "";
}

/** Relative to the configuration's folder. */
function relativeName(name: string): string {
  return name
    .replace(/^\$\{[^}]*\}/u, "")
    .replace(/^<rootDir>/u, "")
    .replace(/^file:\/\//u, "")
    .replace(/^[./]*\/(?=[^/])/u, (start) => (start.startsWith("..") ? start : ""));
}
