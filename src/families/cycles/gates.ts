/** The gates of the cycles family. */
import type { Gates } from "../../family/gate.ts";
import { cycleRedGate } from "./gates/red.ts";
import { cycleGreenGate } from "./gates/green.ts";
import { testRefactorGate } from "./gates/test-refactor.ts";
import { implRefactorGate } from "./gates/impl-refactor.ts";
import { suiteGate } from "./gates/suite.ts";
import { refactorGate } from "./gates/refactor.ts";

export const gates: Gates = {
  cycle_red: cycleRedGate,
  cycle_green: cycleGreenGate,
  test_refactor: testRefactorGate,
  impl_refactor: implRefactorGate,
  suite: suiteGate,
  refactor: refactorGate,
};
