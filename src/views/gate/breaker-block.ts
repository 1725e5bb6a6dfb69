import { safeLine, safeText } from "../../lib/safe-text.ts";

/** The block of a tripped breaker (ORC-80). Its printed options work as they are (ORC-81). */
export interface BreakerFacts {
  readonly run: string;
  /** What tripped it, e.g. `REVIEW LOOP EXCEEDED (gate 2)`. */
  readonly trigger: string;
  readonly attempts: number;
  readonly max: number;
  /** One or more lines. */
  readonly lastError: string;
  /** The commit that option a) resets to. */
  readonly reset: string;
  /** Findings by round, for a review loop (CORE-78). */
  readonly rounds?: readonly FindingRound[];
  /** For a loop of two agents: what stopped it, its rounds, the last message of each; safe to print. */
  readonly details?: readonly string[];
}

export interface FindingRound {
  readonly round: number;
  readonly open: number;
  readonly fixed: number;
  readonly new: number;
  readonly regression: number;
}

export interface BreakerOption {
  readonly id: "a" | "b" | "c";
  readonly text: string;
  readonly command: string;
}

const rule = "━".repeat(27);

export function breakerBlock(facts: BreakerFacts): string {
  return [
    "⚠️ CIRCUIT BREAKER ACTIVATED",
    rule,
    `Trigger: ${safeLine(facts.trigger)}`,
    `Attempts: ${String(facts.attempts)}/${String(facts.max)}`,
    `Last error: ${indented(safeText(facts.lastError))}`,
    ...(facts.rounds ?? []).map(roundLine),
    ...(facts.details ?? []),
    rule,
    "Options:",
    ...breakerOptions(facts).flatMap(({ id, text, command }) => [`  ${id}) ${text}`, `     ${command}`]),
    "",
    "Awaiting user decision...",
  ].join("\n");
}

export function breakerOptions({
  run,
  reset,
}: Pick<BreakerFacts, "run" | "reset">): readonly BreakerOption[] {
  const resume = `mettle resume ${run}`;
  return [
    { id: "a", text: `git reset --hard ${reset} - discard changes`, command: `${resume} --reset ${reset}` },
    { id: "b", text: "User provides more context", command: `${resume} --context "…"` },
    { id: "c", text: "Try different approach", command: `${resume} --approach "…"` },
  ];
}

/** The same facts for `--json`. */
export interface BreakerJson {
  readonly trigger: string;
  readonly attempts: number;
  readonly max: number;
  readonly last_error: string;
  readonly rounds: readonly FindingRound[];
  readonly options: readonly BreakerOption[];
}

export function breakerJson(facts: BreakerFacts): BreakerJson {
  return {
    trigger: safeLine(facts.trigger),
    attempts: facts.attempts,
    max: facts.max,
    last_error: safeText(facts.lastError),
    rounds: facts.rounds ?? [],
    options: breakerOptions(facts),
  };
}

/** Indents the later lines of an error, so that none can look like a line of the block. */
function indented(text: string): string {
  return text.split("\n").join("\n  ");
}

function roundLine(round: FindingRound): string {
  const { open, fixed, regression } = round;
  return `  round ${String(round.round)}: ${String(round.new)} new, ${String(open)} open, ${String(fixed)} fixed, ${String(regression)} regression`;
}
