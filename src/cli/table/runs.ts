/** The commands that start, show and continue a run. */
import { argument, flag, option, optional, options, rest } from "../../lib/command-line/row.ts";
import type { MettleCommand } from "../command.ts";
import { newest, verbose } from "./shared.ts";

const noWait = flag("no-wait", "stop at a usage limit of an agent's account instead of waiting for its end");

export const runs: readonly MettleCommand[] = [
  {
    name: "run",
    summary: "start a run with a task",
    inputs: [
      optional(argument("task", "what to build, e.g. 'Build a login page'")),
      option("protocol NAME", "protocol to follow (default: that of mettle.yaml, else orchestrate)"),
      options("agent AGENT", "AGENT for all roles, or ROLE=AGENT; e.g. scripted:cassette.yaml"),
      option("approve GATES", "approve gates beforehand: plan, code, or plan,code"),
      option("spec FILE", "graph: what to build, as YAML or JSON; - for standard input"),
      option("max-depth N", "graph: the maximum depth of the tree, 0 to 8"),
      option("parallel N", "graph: agents at work at once; continue: prompts at once"),
      options("input NAME=VALUE", "an input of a protocol of steps: prompt_num=1"),
      option("base BRANCH", "graph: the branch to start from (default: the current one)"),
      flag("pr", "graph: open a merge request for each published node, with gh or glab"),
      flag(
        "detach",
        "return when it has begun: the workers of the shared store do it, or a process of its own",
      ),
      flag("land", "land a proven result on the branch that the run started from"),
      noWait,
      verbose,
    ],
    load: () => import("../commands/run.ts"),
  },
  {
    name: "status",
    summary: "show the state of runs, and what waits for you",
    inputs: [optional(argument("run", "id of one run (default: all that have not ended, and the newest)"))],
    load: () => import("../commands/status.ts"),
  },
  {
    name: "watch",
    summary: "follow a run live",
    inputs: [newest],
    load: () => import("../commands/watch.ts"),
  },
  {
    name: "ui",
    summary: "look at runs and decide about them in a browser",
    inputs: [
      option("port N", "serve on this port of 127.0.0.1 (default: one that is free)"),
      flag("no-open", "print the address, and open no browser"),
    ],
    load: () => import("../commands/ui.ts"),
  },
  {
    name: "log",
    summary: "print the timeline of a run",
    inputs: [
      optional(
        argument("run", "id of the run (default: the newest, and the calls of envoy in this repository)"),
      ),
    ],
    load: () => import("../commands/log.ts"),
  },
  {
    name: "show",
    summary: "show a run, record, payload or question",
    inputs: [
      argument(
        "id",
        "a run, a record (RUN/3), a payload (sha256:…), a question of the newest run, a document (RUN/spec), or a run as a cassette (RUN/cassette)",
      ),
      optional(argument("node", "graph: a node of the run")),
      flag("graph", "graph: the tree as it is now, in Mermaid"),
      flag("memory", "graph: what TDD and Impl of the node remember"),
      option("payload REF", "a payload whole, or with --pointer a field of it"),
      option("pointer", "JSON pointer into --payload: /coverageReport/criteriaMissing"),
      flag("gates", "the rows of every quality gate of the run, with the evidence of each"),
      option("html FILE", "write the run as one page that opens in any browser, without network"),
      flag("snapshot", "the run as it was when its newest failed cycle failed"),
    ],
    load: () => import("../commands/show.ts"),
  },
  {
    name: "answer",
    summary: "answer a question",
    inputs: [
      argument("run", "id of the run, or name of a gate of envoy: 1_A_testing"),
      rest("answer", "ID=TEXT for each clarifying question; else the answer's name, or free text"),
      option("node", "graph: the node whose question it answers"),
      option("spec FILE", "graph: answer with an amended spec; - for standard input"),
      options("set FIELD=VALUE", "a field of a gate: test_passed=true, logs=@FILE"),
      verbose,
    ],
    load: () => import("../commands/answer.ts"),
  },
  {
    name: "approve",
    summary: "approve what a gate shows",
    inputs: [
      optional(
        argument("run", "id of the run (default: the one that waits for it), or a prompt of envoy: 1_A"),
      ),
      option("gate", "for a prompt: review, if no reviewer could answer"),
      option("reason TEXT", "why the prompt is accepted as it is now"),
      verbose,
    ],
    load: () => import("../commands/approve.ts"),
  },
  {
    name: "reject",
    summary: "reject a plan or code with a reason",
    inputs: [
      optional(argument("run", "id of the run (default: the one that waits for it)")),
      option("reason TEXT", "what is wrong; goes to the agent"),
      verbose,
    ],
    load: () => import("../commands/reject.ts"),
  },
  {
    name: "resume",
    summary: "continue a run",
    inputs: [
      newest,
      option("reset COMMIT", "breaker: go back to this commit of the run; what is discarded is kept"),
      option("context TEXT", "breaker, or a run that stopped: tell the agents more"),
      option("approach TEXT", "breaker: ask for another approach"),
      options(
        "accept-test ID",
        "accept these tests: old ones that are changed, new ones that pass already; the breaker goes on",
      ),
      option("reason TEXT", "with --accept-test: why"),
      option("node", "graph: the waiting node that goes on"),
      options("set SETTING", "change a setting of this run: key=value, e.g. limits.green=7"),
      options("agent AGENT", "change who plays a role in this run: ROLE=AGENT"),
      noWait,
      verbose,
    ],
    load: () => import("../commands/resume.ts"),
  },
  {
    name: "abort",
    summary: "end a run, keeping its work",
    inputs: [
      argument("run", "id of the run"),
      option("reason TEXT", "why", { default: "aborted by a person" }),
      option("node", "graph: end this node and everything below it; its parent is informed"),
      flag("yes", "end it without asking at a terminal"),
    ],
    load: () => import("../commands/abort.ts"),
  },
];
