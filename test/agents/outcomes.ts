/** Outcomes that the exit code does not show: the same list for each adapter (CORE-51). */
import type { AgentOutcome, AgentSpec } from "../../src/agents/agent.ts";
import type { ModelStep } from "../support/wire.ts";

export interface EndCase {
  readonly name: string;
  readonly steps: readonly ModelStep[];
  readonly given: Partial<AgentSpec>;
  /** Whether the program is interrupted, as by Ctrl-C. */
  readonly interrupted: boolean;
  readonly type: AgentOutcome["type"];
  /** The structured answer, if any. */
  readonly structured?: unknown;
  /** Tools whose calls are denied. */
  readonly denied: readonly string[];
}

/** Tool names of an agent. */
export interface OwnTools {
  readonly write: { readonly name: string; readonly input: unknown };
  readonly shell: { readonly name: string; readonly input: unknown };
  /** Tool of the structured answer; null: the answer is the text. */
  readonly answer: string | null;
  /** Whether its program supports structured answers. */
  readonly structures: boolean;
}

const schema = {
  type: "object",
  properties: { status: { type: "string" } },
  required: ["status"],
  additionalProperties: false,
};

export function endCases({ write, shell, answer, structures }: OwnTools): readonly EndCase[] {
  const plain = { interrupted: false, denied: [] };
  const answered = (value: unknown): readonly ModelStep[] =>
    answer === null
      ? [{ text: JSON.stringify(value) }]
      : [{ tools: [{ name: answer, input: value }] }, { text: "answered" }];
  const readOnly = { tools: ["Read"] };
  const tries = [{ tools: [write] }, { tools: [shell] }];
  return [
    { ...plain, name: "words", steps: [{ text: "done" }], given: { schema }, type: "schema_failed" },
    {
      ...plain,
      name: "structured",
      steps: answered({ status: "GC" }),
      given: { schema },
      ...(structures ? { type: "ok", structured: { status: "GC" } } : { type: "schema_failed" }),
    },
    {
      ...plain,
      name: "wrong-form",
      steps: answered({ status: 5 }),
      given: { schema },
      type: "schema_failed",
    },
    { ...plain, name: "interrupted", steps: [{ hang: true }], given: {}, interrupted: true, type: "crashed" },
    {
      ...plain,
      name: "denied",
      steps: [...tries, { text: "done" }],
      given: readOnly,
      type: "ok",
      denied: [write.name, shell.name],
    },
    {
      ...plain,
      name: "denied-and-failed",
      steps: [...tries, { status: 401 }],
      given: readOnly,
      type: "auth",
      denied: [write.name, shell.name],
    },
  ];
}
