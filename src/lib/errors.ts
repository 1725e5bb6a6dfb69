/**
 * All error codes of Mettle with their exit codes, and the error class. docs/errors.md documents them.
 * Exit codes: 1 negative result, 2 usage or bad input, 3 waiting, 4 escalated, 5 environment.
 */
export const errorCodes = {
  // 1: negative result
  approval_stale: 1,
  approval_unproven: 1,
  agent_cannot_approve: 1,
  land_refused: 1,
  // 2: usage or bad input
  usage: 2,
  protocol_invalid: 2,
  protocol_unknown: 2,
  protocol_conflict: 2,
  template_invalid: 2,
  config_invalid: 2,
  bad_setting: 2,
  settings_invalid: 2,
  holdout_unsupported: 2,
  empty_task: 2,
  not_a_repository: 2,
  no_commit: 2,
  run_unknown: 2,
  run_ended: 2,
  question_unknown: 2,
  unknown_answer: 2,
  reason_required: 2,
  nothing_waiting: 2,
  nothing_to_answer: 2,
  node_unknown: 2,
  revision_unknown: 2,
  not_a_descendant: 2,
  shallow_clone: 2,
  no_tests: 2,
  red_required: 2,
  not_a_merge: 2,
  criteria_invalid: 2,
  agent_unknown: 2,
  cassette_invalid: 2,
  runner_ambiguous: 2,
  version_unsupported: 2,
  bundle_invalid: 2,
  bad_pattern: 2,
  bad_content: 2,
  unknown_section: 2,
  entity_unknown: 2,
  unknown_memory: 2,
  bad_reference: 2,
  unknown_mode: 2,
  missing_param: 2,
  unexpected_param: 2,
  bad_param: 2,
  bad_syntax: 2,
  unknown_status: 2,
  bad_status: 2,
  session_taken: 2,
  session_closed: 2,
  spec_required: 2,
  ports_taken: 5,
  program_replaced: 5,
  spec_invalid: 2,
  path_refused: 2,
  filtered_path: 2,
  foreign_session: 2,
  unknown_session: 2,
  no_dispatch: 2,
  already_reported: 2,
  mode_mismatch: 2,
  role_busy: 2,
  not_triggered: 2,
  context_full: 2,
  no_tdd_cycles: 2,
  design_not_approved: 2,
  no_plan: 2,
  plan_differs: 2,
  plan_not_approved: 2,
  cycles_open: 2,
  code_not_allowed: 2,
  bad_payload: 2,
  bad_handoff: 2,
  unknown_module: 2,
  not_in_protocol: 2,
  dialogue_is_append_only: 2,
  invalid_name: 2,
  not_found: 2,
  not_a_steps_protocol: 2,
  invalid_inputs: 2,
  invalid_yaml: 2,
  invalid_schema: 2,
  invalid_step_key: 2,
  duplicate_step: 2,
  append_to_missing_step: 2,
  insert_without_step: 2,
  unknown_step_reference: 2,
  unknown_base: 2,
  extends_cycle: 2,
  no_branch: 2,
  direct_mode: 2,
  invalid_query: 2,
  invalid_index: 2,
  invalid_number: 2,
  invalid_variant: 2,
  text_too_large: 2,
  variants_exist: 2,
  standalone_exists: 2,
  unknown_dependency: 2,
  dependency_cycle: 2,
  already_in_progress: 2,
  dependencies_unmerged: 2,
  already_merged: 2,
  variant_decided: 2,
  invalid_worktree_branch: 2,
  not_started: 2,
  missing_walkthrough: 2,
  missing_refinement_reason: 2,
  invalid_walkthrough: 2,
  invalid_walkthrough_type: 2,
  invalid_iteration: 2,
  invalid_status: 2,
  precondition_failed: 2,
  approval_lapsed: 2,
  not_debug: 2,
  already_answered: 2,
  invalid_answer: 2,
  all_variants_rejected: 2,
  variant_unresolved: 2,
  no_base_branch: 2,
  merge_conflict: 2,
  checkout_dirty: 2,
  verification_failed: 2,
  nothing_to_review: 2,
  variant_out_of_order: 2,
  path_not_relative: 2,
  pointer_not_found: 2,
  store_mismatch: 2,
  store_unnamed: 2,
  store_not_shared: 2,
  key_invalid: 2,
  key_unknown: 2,
  key_name_taken: 2,
  key_already_enrolled: 2,
  // 3: waiting for a person
  waiting_for_person: 3,
  // 4: limit reached
  not_converging: 4,
  budget_used: 4,
  // 5: environment or inconclusive
  review_inconclusive: 5,
  verification_inconclusive: 5,
  branch_moved: 5,
  ref_blocked: 5,
  runner_not_found: 5,
  base_unusable: 5,
  runner_outdated: 5,
  test_setup_missing: 5,
  branch_unresolved: 5,
  agent_missing: 5,
  agent_outdated: 5,
  agent_login: 5,
  sandbox_missing: 5,
  dependencies_changed: 5,
  agent_failed: 5,
  usage_limit: 5,
  channel_failed: 5,
  cassette_mismatch: 5,
  reviewer_unreachable: 5,
  run_busy: 5,
  claim_lost: 5,
  journal_conflict: 5,
  journal_corrupt: 5,
  key_lost: 5,
  key_unenrolled: 5,
  key_revoked: 5,
  journal_newer: 5,
  journal_locked: 5,
  store_unreachable: 5,
  store_url_missing: 5,
  run_elsewhere: 5,
  remote_failed: 5,
  remote_missing: 5,
  background_failed: 5,
  not_permitted: 1,
  token_unknown: 2,
  install_failed: 5,
  job_set_aside: 5,
  worker_busy: 5,
  store_unsupported: 5,
  disk_full: 5,
  state_unwritable: 5,
  memory_unreadable: 5,
  payload_corrupt: 5,
  payload_missing: 5,
  plan_busy: 5,
  worktree_failed: 5,
  git_failed: 5,
  git_missing: 5,
  objects_missing: 5,
  platform_unsupported: 5,
  internal: 5,
} as const;

export type ErrorCode = keyof typeof errorCodes;

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorCodes, code);
}

export interface ErrorOptions {
  /** What to type or change next, in one sentence. */
  readonly hint: string;
  /** "safe" if repeating the call can succeed and does no harm. */
  readonly retry?: "never" | "safe";
  readonly cause?: unknown;
  /** Machine-readable details for --json (candidates, positions, process ids). */
  readonly detail?: unknown;
  /** A second rule that refuses the same call, with its own code. */
  readonly also?: SecondRule | undefined;
}

export interface SecondRule {
  readonly code: ErrorCode;
  readonly message: string;
}

const mark = Symbol.for("mettle.AppError");

/** An operational failure with a code, printed as `error[code]: message` and `hint: …` (CORE-89). */
export class AppError extends Error {
  /** Also true for an error of another bundle in this process, which has a class of its own. */
  static override [Symbol.hasInstance](value: unknown): value is AppError {
    return value instanceof Error && mark in value;
  }

  readonly [mark] = true;
  override readonly name = "AppError";
  readonly code: ErrorCode;
  readonly hint: string;
  readonly retry: "never" | "safe";
  readonly detail: unknown;
  readonly also: SecondRule | null;

  constructor(code: ErrorCode, message: string, options: ErrorOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
    this.retry = options.retry ?? "never";
    this.detail = options.detail;
    this.also = options.also ?? null;
  }

  get exitCode(): number {
    return errorCodes[this.code];
  }
}
