import { expect, test } from "vitest";
import { commandOf, testCommands, type TestCommand } from "./test-command.ts";

function commands(script: string, others: Readonly<Record<string, string>> = {}): readonly TestCommand[] {
  return testCommands(JSON.stringify({ scripts: { ...others, test: script } }));
}

const nothing: Omit<TestCommand, "runner"> = { env: {}, envFiles: [], loaders: [], config: null, args: [] };
const one = (script: string, others?: Readonly<Record<string, string>>) => {
  const found = commands(script, others);
  return { ...found[0], ...(found.length === 1 ? {} : { count: found.length }) };
};

test("a script without a runner, a broken package.json and one without scripts give no command", () => {
  expect(commands("echo no test && exit 1")).toEqual([]);
  expect(commands("tsc --noEmit && eslint .")).toEqual([]);
  expect(testCommands("{")).toEqual([]);
  expect(testCommands("{}")).toEqual([]);
  expect(testCommands('{"scripts":{"test":7}}')).toEqual([]);
});

test.each<readonly [string, TestCommand]>([
  ["mocha", { ...nothing, runner: "mocha" }],
  [
    "NODE_ENV=test TZ='Europe/Berlin' mocha",
    { ...nothing, runner: "mocha", env: { NODE_ENV: "test", TZ: "Europe/Berlin" } },
  ],
  [
    "cross-env NODE_ENV=test jest -i",
    { ...nothing, runner: "jest", env: { NODE_ENV: "test" }, args: ["-i"] },
  ],
  ['cross-env-shell A=b "jest --ci"', { ...nothing, runner: "jest", env: { A: "b" }, args: ["--ci"] }],
  ["env -u X A=b npx --no-install jest", { ...nothing, runner: "jest", env: { A: "b" } }],
  ["export A=b; jest", { ...nothing, runner: "jest", env: { A: "b" } }],
  ["A=b B=$A-${C:-c} jest", { ...nothing, runner: "jest", env: { A: "b", B: "b-c" } }],
  [
    'NODE_OPTIONS="$NODE_OPTIONS --experimental-vm-modules" jest',
    { ...nothing, runner: "jest", env: { NODE_OPTIONS: " --experimental-vm-modules" } },
  ],
  ["dotenv -e .env.test -- jest", { ...nothing, runner: "jest", envFiles: [".env.test"] }],
  ["dotenv jest", { ...nothing, runner: "jest", envFiles: [".env"] }],
  [
    "env-cmd -f ./test.env vitest run",
    { ...nothing, runner: "vitest", envFiles: ["./test.env"], args: ["run"] },
  ],
  [
    "node --import tsx --test test/*.test.ts",
    { ...nothing, runner: "node:test", loaders: ["--import=tsx"], args: ["test/*.test.ts"] },
  ],
  [
    "node --test --env-file=.env --import ./setup.js -r ./hook.cjs --test-concurrency 1 'test/**/*.js'",
    {
      ...nothing,
      runner: "node:test",
      envFiles: [".env"],
      loaders: ["--import=./setup.js", "--require=./hook.cjs"],
      args: ["--test-concurrency=1", "test/**/*.js"],
    },
  ],
  ["tsx --test", { ...nothing, runner: "node:test", loaders: ["--import=tsx"] }],
  [
    "node --loader ts-node/esm --test",
    { ...nothing, runner: "node:test", loaders: ["--loader=ts-node/esm"] },
  ],
  [
    "node --experimental-vm-modules node_modules/jest/bin/jest.js --ci",
    { ...nothing, runner: "jest", loaders: ["--experimental-vm-modules"], args: ["--ci"] },
  ],
  [
    "node --experimental-vm-modules node_modules/.bin/jest",
    { ...nothing, runner: "jest", loaders: ["--experimental-vm-modules"] },
  ],
  [
    "c8 --reporter lcov --check-coverage --lines 90 mocha -r ts-node/register --recursive",
    { ...nothing, runner: "mocha", args: ["-r", "ts-node/register", "--recursive"] },
  ],
  ["nyc --silent mocha && nyc check-coverage --lines 100", { ...nothing, runner: "mocha" }],
  ["nyc --reporter=lcov npm run unit", { ...nothing, runner: "mocha", args: ["--ui", "tdd"] }],
  [
    "mocha --import=tsx --config .mocharc.ci.json --exit",
    { ...nothing, runner: "mocha", loaders: ["--import=tsx"], config: ".mocharc.ci.json", args: ["--exit"] },
  ],
  [
    "ts-mocha -p tsconfig.json",
    { ...nothing, runner: "mocha", loaders: ["--require=ts-node/register"], args: ["-p", "tsconfig.json"] },
  ],
  [
    "vitest run --config vite.test.ts --project unit",
    { ...nothing, runner: "vitest", config: "vite.test.ts", args: ["run", "--project", "unit"] },
  ],
  ["jest -c jest/config.js", { ...nothing, runner: "jest", config: "jest/config.js" }],
  [`jest --config '{"a":1}'`, { ...nothing, runner: "jest", args: ["--config", '{"a":1}'] }],
  [
    "npm run lint && npm run unit -- --exit",
    { ...nothing, runner: "mocha", args: ["--ui", "tdd", "--exit"] },
  ],
  ["CI=1 yarn unit", { ...nothing, runner: "mocha", env: { CI: "1" }, args: ["--ui", "tdd"] }],
  ["pnpm exec jest", { ...nothing, runner: "jest" }],
  ["yarn jest", { ...nothing, runner: "jest" }],
  ["npm-run-all lint 'unit*'", { ...nothing, runner: "mocha", args: ["--ui", "tdd"] }],
  ["node --run unit", { ...nothing, runner: "mocha", args: ["--ui", "tdd"] }],
  ['sh -c "A=b jest"', { ...nothing, runner: "jest", env: { A: "b" } }],
  ["python3 -m pytest -x tests", { ...nothing, runner: "pytest", args: ["-x", "tests"] }],
  ["playwright test", { ...nothing, runner: "playwright", args: ["test"] }],
])("%s", (script, expected) => {
  expect(one(script, { lint: "eslint .", unit: "mocha --ui tdd" })).toEqual(expected);
});

test("all runners of one script are found, each by its name", () => {
  const found = commands("A=1 jest && npm run other; mocha", { other: "vitest run" });
  expect(found.map(({ runner }) => runner)).toEqual(["jest", "vitest", "mocha"]);
  expect(commandOf(found, "jest")?.env).toEqual({ A: "1" });
  expect(commandOf(found, "mocha")?.env).toEqual({});
  expect(commandOf(found, "node:test")).toBeNull();
});

test("recursive scripts end, and commands for another package are ignored", () => {
  expect(commands("npm run a", { a: "npm run b", b: "npm run a" })).toEqual([]);
  expect(commands("npm test --workspaces && npm run test -w packages/a && yarn --cwd x jest")).toEqual([]);
});
