import type { Runner } from "../runner.ts";
import { jest } from "./jest.ts";
import { mocha } from "./mocha.ts";
import { cargo } from "./cargo.ts";
import { bun } from "./bun.ts";
import { go } from "./go.ts";
import { junit } from "./junit.ts";
import { nodeTest } from "./node-test.ts";
import { pytest } from "./pytest.ts";
import { unittest } from "./unittest.ts";
import { vitest } from "./vitest.ts";

/** All test runners, by the name in settings and records. A new one is one file and one line here. */
export const runners: Readonly<Record<string, Runner>> = {
  vitest,
  jest,
  mocha,
  "node:test": nodeTest,
  pytest,
  unittest,
  go,
  cargo,
  bun,
  junit,
};
