/**
 * The project's commands in place of the specification's `cabal build`, `cabal test`, `--match="Contract"` and
 * `undefined` (V3-43). An agent may run them; only the runtime's own run counts.
 */
import { dirname, join } from "node:path/posix";
import type { Settings } from "../../../config/settings.ts";
import { holds } from "../../../gates/node/node-paths.ts";
import type { Repository } from "../../../git/repository.ts";
import { readFile } from "../../../git/objects/tree.ts";
import type { ProjectWords } from "../../../protocol/graph-types/briefing.ts";
import type { NodeInput } from "../../../protocol/graph-types/nodes.ts";
import { testCommand } from "../../../dispatch/prompt/test-command.ts";
import { buildScript } from "../../../proof/project/manifest.ts";

export type Runners = Pick<Settings, "runner" | "packages">;

/** For a project at a commit. @param contractSuite null if the node has none yet */
export async function projectWordsAt(
  at: { readonly repository: Repository; readonly commit: string },
  runners: Runners,
  contractSuite: string | null,
): Promise<ProjectWords> {
  const path = join(runnerFor(runners, contractSuite).folder, "package.json");
  const text = await readFile(at.repository, { commit: at.commit, path });
  const hasBuildScript = text !== null && buildScript(text.toString("utf8")) !== null;
  return projectWords(runners, contractSuite, { hasBuildScript });
}

/** @param options `hasBuildScript`: the package has a script `build`, used if its language has no build command */
export function projectWords(
  runners: Runners,
  contractSuite: string | null,
  { hasBuildScript = false } = {},
): ProjectWords {
  const { folder, runner } = runnerFor(runners, contractSuite);
  const words = tools[runner] ?? unknown;
  // Haskell prompts are supported, although no runner executes Haskell tests.
  const test = runner === "cabal" ? "cabal test" : testCommand(runners);
  const place = folder === "." ? "" : ` (in ${folder})`;
  const suite = contractSuite === null ? null : contractSuite.slice(folder === "." ? 0 : folder.length + 1);
  const contract = suite === null ? null : words.contract(suite);
  const build = words.build ?? (hasBuildScript ? "npm run build" : null);
  return {
    ...(build === null ? {} : { build: `${build}${place}` }),
    ...(test === undefined ? {} : { test }),
    ...(contract === null ? {} : { contract: `${contract}${place}` }),
    marker: words.marker,
  };
}

export function contractSuiteOf(input: NodeInput): string | null {
  if ("contractSuite" in input) return input.contractSuite;
  return "scaffold" in input ? input.scaffold.contractSuite : null;
}

interface Tool {
  readonly build: string | null;
  /** The command that runs one test file. */
  readonly contract: (path: string) => string | null;
  readonly marker: string;
}

const throws = 'throws an error whose message begins with "not implemented"';
const raises = "raises NotImplementedError";
const unknown: Tool = { build: null, contract: () => null, marker: throws };

const tools: Readonly<Record<string, Tool>> = {
  vitest: { ...unknown, contract: (path) => `npx vitest run ${path}` },
  jest: { ...unknown, contract: (path) => `npx jest ${path}` },
  mocha: { ...unknown, contract: (path) => `npx mocha ${path}` },
  "node:test": { ...unknown, contract: (path) => `node --test ${path}` },
  pytest: { build: null, contract: (path) => `python3 -m pytest ${path}`, marker: raises },
  unittest: { build: null, contract: (path) => `python3 -m unittest ${path}`, marker: raises },
  go: {
    build: "go build ./...",
    contract: (path) => `go test ./${dirname(path)}`,
    marker: 'panics with "not implemented"',
  },
  cargo: {
    build: "cargo build --workspace",
    contract: (path) => `cargo test${/^tests\/[^/]+\.rs$/u.test(path) ? ` --test ${path.slice(6, -3)}` : ""}`,
    marker: "calls `todo!()` or `unimplemented!()`",
  },
  cabal: {
    build: "cabal build",
    contract: () => "cabal test --test-option=--match=Contract",
    marker: "is `undefined`",
  },
};

/** The runner of the innermost package that contains the contract suite, else of the root. */
function runnerFor(
  { runner, packages = {} }: Runners,
  contractSuite: string | null,
): { readonly folder: string; readonly runner: string } {
  const inner = Object.keys(packages)
    .filter((folder) => folder !== "." && contractSuite !== null && holds(folder, contractSuite))
    .toSorted((one, other) => other.length - one.length)[0];
  if (inner !== undefined) return { folder: inner, runner: packages[inner] ?? "" };
  return { folder: ".", runner: runner ?? packages["."] ?? "" };
}
