/** What waits for people, and what they decided. Only types. */

export interface AskModel {
  readonly key: string;
  readonly node: string | null;
  readonly kind:
    "plan" | "code" | "questions" | "breaker" | "paused" | "question" | "failed" | "plan_gate" | "base";
  readonly text: string;
  /** The hash that an answer is bound to; null until it was shown. */
  readonly hash: string | null;
  /** What was shown with it. */
  readonly shown: string | null;
  readonly answers: readonly string[];
  readonly commands: readonly string[];
  readonly questions: readonly { readonly id: string; readonly topic: string; readonly text: string }[];
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
