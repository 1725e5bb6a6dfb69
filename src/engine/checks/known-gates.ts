/** The gates of every protocol; each family adds its own from its folder. */
import type { Gates } from "../../family/gate.ts";
import { topicsGate } from "./topics.ts";
import { specGate, architectureGate } from "./documents.ts";
import { gate1, planApprovedGate } from "./plan-gates.ts";
import { redGate } from "./red.ts";
import { gate2, gate3 } from "./review-gates.ts";
import { greenGate } from "./green.ts";
import { codeApprovedGate } from "./code-approved.ts";
import { finalGate } from "./final.ts";

export const gates: Gates = {
  topics: topicsGate,
  spec: specGate,
  architecture: architectureGate,
  gate1,
  plan_approved: planApprovedGate,
  red: redGate,
  gate2,
  green: greenGate,
  gate3,
  code_approved: codeApprovedGate,
  final: finalGate,
};
