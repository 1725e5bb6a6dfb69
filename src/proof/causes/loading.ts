/** Loaders of the project's own test command that a proof does not use. */
import { isObject } from "../../lib/json.ts";
import { manifest } from "../project/manifest.ts";
import type { CheckoutCause, BaseContext } from "./cause.ts";

const loader =
  /(?:^|\s)(--import|--loader|--experimental-loader|--require|-r)[=\s]+(\S+)|(?:^|\s)(tsx|ts-node|ts-node-esm|babel-node|swc-node|esmo|jiti)(?=\s)/;
const fails =
  /Unknown file extension|ERR_UNKNOWN_FILE_EXTENSION|Unexpected token|Cannot use import statement|Unexpected identifier|ERR_UNSUPPORTED_|is not supported in strip-only mode|Cannot find module|SyntaxError/;

export async function loaders({ base, packages, output }: BaseContext): Promise<readonly CheckoutCause[]> {
  const isMentioned = fails.test(output);
  const paths = packages.map(({ prefix }) => `${prefix}package.json`);
  const scripts = [...(await base.texts(paths))].flatMap(([path, text]): readonly CheckoutCause[] => {
    const { scripts: all } = manifest(text);
    const script = isObject(all) && typeof all["test"] === "string" ? all["test"] : "";
    const [option] = loader.exec(script) ?? [];
    if (option === undefined) return [];
    return [
      {
        what: `the test script of ${path} loads the tests with \`${option.trim()}\``,
        help: "compare with `mettle doctor --run`; `tests.args` in mettle.yaml adds arguments",
        isMentioned,
      },
    ];
  });
  return [...scripts, ...(await ofMocha({ base, packages, isMentioned }))];
}

async function ofMocha({
  base,
  packages,
  isMentioned,
}: Pick<BaseContext, "base" | "packages"> & { readonly isMentioned: boolean }) {
  const names = [
    ".mocharc.js",
    ".mocharc.cjs",
    ".mocharc.mjs",
    ".mocharc.yml",
    ".mocharc.yaml",
    ".mocharc.json",
    ".mocharc.jsonc",
  ];
  const paths = packages
    .filter(({ found }) => found.name === "mocha")
    .flatMap(({ prefix }) => names.map((name) => `${prefix}${name}`));
  return [...(await base.texts(paths))].flatMap(([path, text]): readonly CheckoutCause[] => {
    const option = /["']?\b(loader|experimental-loader|import|node-option)\b["']?\s*:/.exec(text)?.[1];
    if (option === undefined) return [];
    const what = `${path} has node load the tests with \`${option}\``;
    const help = "a loader that only mocha's own command supports is not used; name it as `require`";
    return [{ what, help, isMentioned }];
  });
}

const unknownOption =
  /(?:unknown|unrecognized|unexpected|invalid|bad|no such)(?: or unexpected)?(?: command line)? (?:option|argument|parameter)s?|CACError|Unknown arguments?:/i;

/** A runner version with unknown options. */
export function versions({ packages, output }: BaseContext): readonly CheckoutCause[] {
  if (!unknownOption.test(output)) return [];
  return packages.map(({ found: { name, version } }) => ({
    what: `${name}${version === null ? "" : ` ${version}`} does not take an option that a proof needs`,
    help: "docs/runners.md lists the supported versions; install one of them",
    isMentioned: true,
  }));
}

const ofGit =
  /not a git repository|fatal: [^\n]*\bgit\b|ENOENT[^\n]*\.git\b|\.git\b[^\n]*(?:ENOENT|no such file)|InvalidGitRepositoryError|setuptools[-_]scm|unable to detect version/i;

export function gitAccess({ output }: BaseContext): readonly CheckoutCause[] {
  if (!ofGit.test(output)) return [];
  return [
    {
      what: "a configuration or a test runs git, and a clean checkout has one commit, without history, tags and branches",
      help: "make it work without git, e.g. with a version from a variable under `tests.env`",
      isMentioned: true,
    },
  ];
}

const absent =
  /Cannot find (?:module|package) '([^'./\n][^'\n]*)'|Failed to (?:resolve|load) (?:import|url) "?([^"./\s][^"\s]*)|No module named '?([\w.]+)|no required module provides package (\S+?)[;:\s]|can't find crate for `(\w+)`/;

export function dependencies({ output }: BaseContext): readonly CheckoutCause[] {
  const found = absent.exec(output);
  const name = found?.slice(1).find((part) => part !== undefined);
  if (name === undefined) return [];
  return [
    {
      what: `${name} is not found`,
      help: "install the project's dependencies in the main checkout; a module of the project itself needs a configured path",
      isMentioned: true,
    },
  ];
}
