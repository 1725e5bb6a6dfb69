/** The commands of `envoy plan`. */
import { argument, flag, list, optional, text, word } from "../../../lib/command-line/row.ts";
import { ownCheckout, promptNumber, variant, type EnvoyCommand } from "../../command.ts";

const specialist = argument("agent_name", "the specialist's name: frontend, backend_1");
const again = flag("again", "ask also where this was answered already");
const approachNumber = argument("approach_num", "number of the approach");

export const plan: readonly EnvoyCommand[] = [
  {
    name: "plan init",
    summary: "create the plan of the feature branch",
    inputs: [],
    load: () => import("./init.ts"),
  },
  {
    name: "plan write-plan",
    summary: "write what is to be built",
    inputs: [
      text("title", "one line"),
      text("objective", "what is to be reached"),
      text("context", "all that has to be known"),
    ],
    load: () => import("./write-plan.ts"),
  },
  {
    name: "plan write-prompt",
    summary: "write a prompt, or other words for one that is there: only what is given changes",
    inputs: [
      promptNumber,
      variant,
      optional(text("description", "about three sentences")),
      optional(text("context", "approach and plan")),
      optional(text("criteria", "when it is done")),
      optional(list("files", "files that matter")),
      optional(list("depends-on", "numbers that have to be merged before")),
      flag("debug", "it looks for a fault"),
      flag("requires-testing", "a person has to test it"),
    ],
    load: () => import("./write-prompt.ts"),
  },
  {
    name: "plan read-prompt",
    reads: true,
    summary: "all that has to be known of a prompt",
    inputs: [promptNumber, variant],
    load: () => import("./read-prompt.ts"),
  },
  {
    name: "plan next",
    reads: true,
    summary: "which prompts can be worked on now",
    inputs: [optional({ ...word("number", "how many numbers, 1 if it is not given"), short: "n" })],
    load: () => import("./next.ts"),
  },
  {
    name: "plan start-prompt",
    summary: "take a prompt",
    inputs: [
      promptNumber,
      variant,
      word("specialist", "who works on it"),
      word("worktree", "its branch: <FEATURE_BRANCH>--implementation-<N>[-<V>]"),
    ],
    load: () => import("./start-prompt.ts"),
  },
  {
    name: "plan release-prompt",
    summary: "let another one take a prompt whose agent is gone",
    inputs: [promptNumber, variant],
    load: () => import("./release-prompt.ts"),
  },
  {
    name: "plan record-implementation",
    summary: "record what was done in one iteration",
    inputs: [
      promptNumber,
      variant,
      text("walkthrough", "structured, as docs/envoy.md shows"),
      word("iteration", "1, 2, 3 …"),
      optional(text("refinement-reason", "why there is another iteration")),
    ],
    load: () => import("./record-implementation.ts"),
  },
  {
    name: "plan block-debugging-logging-gate",
    summary: "wait until a person hands in the logs of a debug prompt",
    inputs: [promptNumber, variant, again],
    load: () => import("./block-debugging-logging-gate.ts"),
  },
  {
    name: "plan block-prompt-testing-gate",
    summary: "wait until a person has tested what was built",
    inputs: [promptNumber, variant, again],
    load: () => import("./block-prompt-testing-gate.ts"),
  },
  {
    name: "plan block-prompt-variants-gate",
    summary: "wait until a person has chosen among the variants; answers at once where there are none",
    inputs: [promptNumber, variant, again],
    load: () => import("./block-prompt-variants-gate.ts"),
  },
  {
    name: "plan block-findings-gate",
    summary: "wait until a person has read the findings",
    inputs: [again],
    load: () => import("./block-findings-gate.ts"),
  },
  {
    name: "plan complete-prompt",
    summary: "say that a merged prompt is done",
    inputs: [promptNumber, variant],
    load: () => import("./complete-prompt.ts"),
  },
  {
    name: "plan write-approach",
    summary: "write one approach of a specialist",
    inputs: [
      specialist,
      approachNumber,
      text("description", "what is proposed"),
      optional(word("variant", "A, B, C … where there are alternatives")),
      text("context", "all of it"),
      list("files", "files that matter"),
      optional({
        ...text("questions", "what has to be clarified"),
        takes: { type: "list", separator: "|", of: "text" },
      }),
    ],
    load: () => import("./write-approach.ts"),
  },
  {
    name: "plan write-notes",
    summary: "write the notes for all approaches of a specialist",
    inputs: [specialist, text("notes", "what all approaches have to respect")],
    load: () => import("./write-notes.ts"),
  },
  {
    name: "plan get-finding-approach",
    reads: true,
    summary: "one approach, with what was asked to be changed",
    inputs: [{ ...specialist, name: "specialist_name" }, approachNumber, variant],
    load: () => import("./get-finding-approach.ts"),
  },
  {
    name: "plan read-design-manifest",
    reads: true,
    summary: "which screenshots there are",
    inputs: [],
    load: () => import("./read-design-manifest.ts"),
  },
  {
    name: "plan cleanup-debug-logs",
    summary:
      "remove the temporary log statements below [DEBUG-TEMP] markers from this worktree, or from that of a prompt",
    inputs: [...ownCheckout, flag("dry-run", "only say what would be removed")],
    load: () => import("./cleanup-debug-logs.ts"),
  },
];
