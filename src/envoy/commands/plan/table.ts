/** The commands of `envoy plan`. */
import { argument, flag, list, optional, text, word } from "../../../lib/command-line/row.ts";
import { ownCheckout, promptNumber, variant, type EnvoyCommand } from "../../command.ts";

const specialist = argument("agent_name", "the specialist's name: frontend, backend_1");
const again = flag("again", "ask again, even if there is an answer");
const approachNumber = argument("approach_num", "number of the approach");

export const plan: readonly EnvoyCommand[] = [
  {
    name: "plan init",
    summary: "create the plan of the feature branch",
    inputs: [],
    load: async () => ({ run: (await import("./plan.ts")).init }),
  },
  {
    name: "plan write-plan",
    summary: "write title, objective and context of the plan",
    inputs: [
      text("title", "one line"),
      text("objective", "the goal"),
      text("context", "all necessary information"),
    ],
    load: async () => ({ run: (await import("./plan.ts")).write }),
  },
  {
    name: "plan write-prompt",
    summary: "create a prompt, or change the given fields of an existing one",
    inputs: [
      promptNumber,
      variant,
      optional(text("description", "about three sentences")),
      optional(text("context", "approach and plan")),
      optional(text("criteria", "success criteria")),
      optional(list("files", "relevant files")),
      optional(list("depends-on", "numbers of prompts to be merged before")),
      flag("debug", "it looks for a bug"),
      flag("requires-testing", "a person has to test it"),
    ],
    load: async () => ({ run: (await import("./prompts.ts")).write }),
  },
  {
    name: "plan read-prompt",
    reads: true,
    summary: "print everything about a prompt",
    inputs: [promptNumber, variant],
    load: () => import("./read-prompt.ts"),
  },
  {
    name: "plan next",
    reads: true,
    summary: "list the prompts that can be worked on now",
    inputs: [optional({ ...word("number", "how many numbers, 1 by default"), short: "n" })],
    load: async () => ({ run: (await import("./plan.ts")).next }),
  },
  {
    name: "plan start-prompt",
    summary: "assign a prompt to a specialist",
    inputs: [
      promptNumber,
      variant,
      word("specialist", "name of the specialist"),
      word("worktree", "its branch: <FEATURE_BRANCH>--implementation-<N>[-<V>]"),
    ],
    load: async () => ({ run: (await import("./prompts.ts")).start }),
  },
  {
    name: "plan release-prompt",
    summary: "free a prompt whose agent is gone",
    inputs: [promptNumber, variant],
    load: async () => ({ run: (await import("./prompts.ts")).release }),
  },
  {
    name: "plan record-implementation",
    summary: "record the work of one iteration",
    inputs: [
      promptNumber,
      variant,
      text("walkthrough", "structured, as docs/envoy.md shows"),
      word("iteration", "1, 2, 3 …"),
      optional(text("refinement-reason", "reason for this further iteration")),
    ],
    load: async () => ({ run: (await import("./prompts.ts")).recordWork }),
  },
  {
    name: "plan block-debugging-logging-gate",
    summary: "wait until a person pastes the logs of a debug prompt",
    inputs: [promptNumber, variant, again],
    load: async () => ({ run: (await import("./gates.ts")).debuggingLogging }),
  },
  {
    name: "plan block-prompt-testing-gate",
    summary: "wait until a person has tested the implementation",
    inputs: [promptNumber, variant, again],
    load: async () => ({ run: (await import("./gates.ts")).promptTesting }),
  },
  {
    name: "plan block-prompt-variants-gate",
    summary: "wait until a person has chosen among the variants; answers at once if there are none",
    inputs: [promptNumber, variant, again],
    load: async () => ({ run: (await import("./gates.ts")).promptVariants }),
  },
  {
    name: "plan block-findings-gate",
    summary: "wait until a person has read the findings",
    inputs: [again],
    load: async () => ({ run: (await import("./gates.ts")).findings }),
  },
  {
    name: "plan complete-prompt",
    summary: "complete a merged prompt",
    inputs: [promptNumber, variant],
    load: async () => ({ run: (await import("./prompts.ts")).complete }),
  },
  {
    name: "plan write-approach",
    summary: "write one approach of a specialist",
    inputs: [
      specialist,
      approachNumber,
      text("description", "the proposal in short"),
      optional(word("variant", "A, B, C … if there are alternatives")),
      text("context", "the whole approach"),
      list("files", "relevant files"),
      optional({
        ...text("questions", "questions for a person"),
        takes: { type: "list", separator: "|", of: "text" },
      }),
    ],
    load: async () => ({ run: (await import("./findings.ts")).write }),
  },
  {
    name: "plan write-notes",
    summary: "write the notes for all approaches of a specialist",
    inputs: [specialist, text("notes", "constraints of all approaches")],
    load: async () => ({ run: (await import("./findings.ts")).notes }),
  },
  {
    name: "plan get-finding-approach",
    reads: true,
    summary: "print one approach with its required changes",
    inputs: [{ ...specialist, name: "specialist_name" }, approachNumber, variant],
    load: async () => ({ run: (await import("./findings.ts")).get }),
  },
  {
    name: "plan read-design-manifest",
    reads: true,
    summary: "list the screenshots of the design",
    inputs: [],
    load: async () => ({ run: (await import("./plan.ts")).readDesign }),
  },
  {
    name: "plan cleanup-debug-logs",
    summary:
      "remove the temporary log statements below [DEBUG-TEMP] markers from this worktree or a prompt's",
    inputs: [...ownCheckout, flag("dry-run", "only list the removals")],
    load: () => import("./cleanup-debug-logs.ts"),
  },
];
