/** Codes that only the tools of a person's session, its hooks or `envoy` say: each is asserted in the file named. */
import { readFile } from "node:fs/promises";
import type { ErrorCode } from "../../src/lib/errors.ts";

const provokedIn: Readonly<Partial<Record<ErrorCode, string>>> = {
  session_taken: "src/journal/contract.ts",
  session_closed: "test/cycles/dialogue.test.ts",
  foreign_session: "test/cycles/dialogue.test.ts",
  unknown_session: "test/cycles/referee-riper.test.ts",
  no_dispatch: "test/cycles/referee-riper.test.ts",
  already_reported: "test/cycles/referee-riper.test.ts",
  mode_mismatch: "test/cycles/referee-riper.test.ts",
  role_busy: "test/cycles/two-sessions.test.ts",
  not_triggered: "test/hooks/starts.test.ts",
  no_tdd_cycles: "test/cycles/referee-riper.test.ts",
  design_not_approved: "test/cycles/referee-riper.test.ts",
  no_plan: "test/cycles/referee-riper.test.ts",
  plan_not_approved: "test/cycles/referee-riper.test.ts",
  cycles_open: "test/cycles/referee-riper.test.ts",
  code_not_allowed: "test/cycles/referee-riper.test.ts",
  bad_payload: "test/cycles/referee-riper.test.ts",
  bad_handoff: "test/cycles/referee-riper.test.ts",
  unknown_module: "test/cycles/referee-riper.test.ts",
  not_in_protocol: "test/cycles/referee-dptr.test.ts",
  dialogue_is_append_only: "test/cycles/dialogue-entities.test.ts",
  invalid_name: "test/envoy/protocol.test.ts",
  not_found: "test/envoy/protocol.test.ts",
  not_a_steps_protocol: "test/envoy/protocol.test.ts",
  invalid_inputs: "test/envoy/protocol.test.ts",
  invalid_yaml: "test/envoy/inheritance.test.ts",
  invalid_schema: "test/envoy/inheritance.test.ts",
  invalid_step_key: "test/envoy/inheritance.test.ts",
  duplicate_step: "test/envoy/inheritance.test.ts",
  append_to_missing_step: "test/envoy/inheritance.test.ts",
  insert_without_step: "test/envoy/inheritance.test.ts",
  unknown_step_reference: "test/envoy/inheritance.test.ts",
  unknown_base: "test/envoy/inheritance.test.ts",
  extends_cycle: "test/envoy/inheritance.test.ts",
};

/** The codes whose file names them; a test that goes takes its code out of the list. */
export async function codesToldElsewhere(): Promise<readonly string[]> {
  const found = await Promise.all(
    Object.entries(provokedIn).map(async ([code, file]) =>
      (await readFile(file, "utf8")).includes(code) ? [code] : [],
    ),
  );
  return found.flat();
}
