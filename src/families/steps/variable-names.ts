/** What a prompt template of a run with printed steps may say beside the others. */
export const stepsVariableNames = ["order", "gate_answer", "unconfirmed", "specialists"] as const;
