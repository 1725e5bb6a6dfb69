/** The runtime's information for a node's template, besides the node's input and memory. */
import * as z from "zod";
import { Text, maybe } from "./notation.ts";
import { ChangeEntry } from "./shared.ts";

/** The project's terms for the specification's Haskell terms. */
export const ProjectWords = z.strictObject({
  /** The build command, if there is a build. */
  build: maybe(Text),
  /** How an agent can run the tests. */
  test: maybe(Text),
  /** How to run only this node's contract suite. */
  contract: maybe(Text),
  /** What a stub does: `throws an error whose message begins with "not implemented"`. */
  marker: Text,
});
export type ProjectWords = z.infer<typeof ProjectWords>;

/** A check that the runtime executed or could not execute. */
export const MechanicalCheck = z.strictObject({
  name: Text,
  result: z.enum(["pass", "fail", "unchecked"]),
  detail: Text,
});
export type MechanicalCheck = z.infer<typeof MechanicalCheck>;

/** For a reviewer who judges a child. */
export const JudgeBriefing = z.strictObject({
  childId: Text,
  assignedCriteria: Text,
  /** Changes that siblings have merged so far, with their nodeIds. */
  siblings: z.array(z.strictObject({ author: Text, changes: z.array(ChangeEntry) })),
});
export type JudgeBriefing = z.infer<typeof JudgeBriefing>;

export const Briefing = z.strictObject({
  project: ProjectWords,
  checks: z.array(MechanicalCheck),
  judge: maybe(JudgeBriefing),
  /** For a Merger: the diff of the squash against the parent. */
  change: maybe(Text),
});
export type Briefing = z.infer<typeof Briefing>;
