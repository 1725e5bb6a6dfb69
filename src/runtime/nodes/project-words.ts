/**
 * The project's own commands in the place of the specification's `cabal build`, `cabal test`, `--match="Contract"` and
 * `undefined` (V3-43). An agent may run them for itself; what counts is the runtime's own run.
 */
import { dirname } from "node:path/posix";
import type { Settings } from "../../config/settings.ts";
import { holds } from "../../gates/node-paths.ts";
import type { ProjectWords } from "../../protocol/graph-types/briefing.ts";
import type { NodeInput } from "../../protocol/graph-types/nodes.ts";
import { testCommand } from "../dispatch/test-command.ts";

type Runners = Pick<Settings, "runner" | "packages">;

/** @param contractSuite null where a node has none yet */
export function projectWords(runners: Runners, contractSuite: string | null): ProjectWords {
  const { folder, runner } = runnerFor(runners, contractSuite);
  const words = tools[runner] ?? unknown;
  // Haskell is spoken, though no runner of ours executes its tests.
  const test = runner === "cabal" ? "cabal test" : testCommand(runners);
  const place = folder === "." ? "" : ` (in ${folder})`;
  const suite = contractSuite === null ? null : contractSuite.slice(folder === "." ? 0 : folder.length + 1);
  const contract = suite === null ? null : words.contract(suite);
  return {
    ...(words.build === null ? {} : { build: `${words.build}${place}` }),
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
  /** How one file of tests is run, by its path. */
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

/** That of the innermost package which holds the contract suite, else of the root. */
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
