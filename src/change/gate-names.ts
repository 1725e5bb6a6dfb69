/** The gates of `mettle gate`; `mettle prove` is RED and GREEN without a commit between them. */
export const gateNames = ["red", "green", "refactor", "merge", "final"] as const;
export type GateName = (typeof gateNames)[number] | "prove";
