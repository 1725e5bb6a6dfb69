/** What waits for people, and what they decided. Only types. */
import type { WaitingAsk } from "../run/status.ts";

/** An open ask as in `status`; its breaker is in `BreakerModel`. */
export interface AskModel extends Omit<WaitingAsk, "breaker"> {
  readonly since: string | null;
}

export interface AnswerModel {
  readonly key: string;
  /** What was asked. */
  readonly ask: string;
  readonly outcome: string;
  readonly text: string;
  readonly answeredBy: string;
  readonly authenticated: boolean;
  /** Who and by which way, in words. */
  readonly by: string;
  /** The hash of what was shown. */
  readonly hash: string | null;
  readonly at: string;
}

export interface QuestionModel {
  readonly id: string;
  readonly topic: string;
  readonly text: string;
  readonly answer: string | null;
  readonly answeredBy: string | null;
}

export interface BreakerModel {
  readonly key: string;
  readonly trigger: string;
  readonly attempts: number;
  readonly max: number;
  readonly lastError: string;
  readonly reset: string;
  readonly open: boolean;
}
