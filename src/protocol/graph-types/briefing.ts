/** What a node's template may name beside the node's input and memory: what the runtime knows and no node tells. */
import { z } from "zod";
import { Text, maybe } from "./notation.ts";
import { ChangeEntry } from "./shared.ts";

/** The project's own words for what the specification calls by those of Haskell. */
export const ProjectWords = z.strictObject({
  /** How it is built, where it is built. */
  build: maybe(Text),
  /** How an agent may run the tests. */
  test: maybe(Text),
  /** How the contract suite of this node is run alone. */
  contract: maybe(Text),
  /** What a stub does, said of it: `throws an error whose message begins with "not implemented"`. */
  marker: Text,
});
export type ProjectWords = z.infer<typeof ProjectWords>;

/** One thing that the runtime has executed, or could not. */
export const MechanicalCheck = z.strictObject({
  name: Text,
  result: z.enum(["pass", "fail", "unchecked"]),
  detail: Text,
});
export type MechanicalCheck = z.infer<typeof MechanicalCheck>;

/** Of a reviewer who judges a child. */
export const Judging = z.strictObject({
  childId: Text,
  assignedCriteria: Text,
  /** What siblings merged so far: their nodeIds and changes. */
  siblings: z.array(z.strictObject({ author: Text, changes: z.array(ChangeEntry) })),
});
export type Judging = z.infer<typeof Judging>;

export const Briefing = z.strictObject({
  project: ProjectWords,
  checks: z.array(MechanicalCheck),
  judge: maybe(Judging),
  /** Of a Merger: what the squash adds to the parent, as a diff. */
  change: maybe(Text),
});
export type Briefing = z.infer<typeof Briefing>;
