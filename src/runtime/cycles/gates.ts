/** The gates of dptr and riper. */
import type { Gates } from "../checks/check.ts";
import { cycleRedGate } from "../checks/cycle/red.ts";
import { cycleGreenGate } from "../checks/cycle/green.ts";
import { testRefactorGate } from "../checks/cycle/test-refactor.ts";
import { implRefactorGate } from "../checks/cycle/impl-refactor.ts";
import { suiteGate } from "../checks/cycle/suite.ts";
import { refactorGate } from "../checks/cycle/refactor.ts";

export const gates: Gates = {
  cycle_red: cycleRedGate,
  cycle_green: cycleGreenGate,
  test_refactor: testRefactorGate,
  impl_refactor: implRefactorGate,
  suite: suiteGate,
  refactor: refactorGate,
};
