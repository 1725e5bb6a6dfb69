import * as z from "zod";
import { Budget, budgetFile } from "./budget-schema.ts";
import { Notify } from "./notify-schema.ts";
import { ProofControls } from "./controls-schema.ts";
import { Duration, Milliseconds } from "./durations.ts";
import { inRepository, Tests, TestsFile } from "./tests-schema.ts";
import { storeVariable } from "./env.ts";
import { Label, Store, StoreFile } from "./store-schema.ts";

/**
 * The keys of `mettle.yaml` and their defaults. `SettingsFile` is the file, `Settings` the parsed result, plain JSON that a run
 * stores by hash (CORE-06). Unknown keys are faults.
 */
const Name = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_-]*$/, "a name has letters, digits, - and _ and begins with a letter");

/** An agent's name, with a file if the agent needs one: `claude`, `scripted:cassette.yaml`. */
const AgentName = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_-]*(:\S.*)?$/, "an agent is named like claude or scripted:FILE");

/** A folder, a file or a glob inside the repository. */
const PathPattern = z
  .string()
  .min(1, "an empty path")
  .refine((path) => !path.startsWith("/") && !/^[A-Za-z]:/.test(path), "a path is relative to the repository")
  .refine((path) => !path.split("/").includes(".."), "a path may not leave the repository")
  .refine(
    (path) => !path.startsWith("!") && !path.includes("\\") && !path.includes("\u0000"),
    "a path is written with / and without !",
  )
  // As in .gitignore, a glob without a slash matches at every depth.
  .transform((path) => (/[*?[{]/.test(path) && !path.includes("/") ? `**/${path}` : path));

/** Folder -> the name of its test runner, or `none`; `.` is the root. */
const Packages = z.record(
  z
    .string()
    .min(1, "an empty folder")
    .refine(inRepository, "a folder is relative to the repository and inside it"),
  z.string().min(1, "an empty name"),
);

/** A program and its arguments. */
const Argv = z.tuple([z.string().min(1, "an empty program")], z.string());

/** A custom agent program (docs/agents.md). */
const Command = z
  .strictObject({
    /** `{prompt}` is replaced by a file with the prompt; without it the prompt is standard input. */
    run: Argv.optional(),
    /** The same for an agent that speaks the Agent Client Protocol. */
    acp: Argv.optional(),
    /** Id of the ACP login method to request. */
    login: z.string().min(1, "an empty name").optional(),
    /** Vendor of the model; two reviewers of one vendor are marked. */
    vendor: z.string().min(1, "an empty name").optional(),
  })
  .refine(({ run, acp }) => (run === undefined) !== (acp === undefined), "a program has either run or acp")
  .refine(({ acp, login }) => login === undefined || acp !== undefined, "login goes with acp alone");

const VariableName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "the name of a variable is expected, without its value")
  .refine((name) => name !== storeVariable, "the URL of the store is never passed on");

const HostName = z
  .string()
  .regex(
    /^(?:\[[0-9A-Fa-f:.]+\]|(?:\*\.)?[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?)(?::\d{1,5})?$/,
    "HOST or HOST:PORT is expected, without a scheme and a path",
  );

/** A tool of an MCP server that answers a prompt with a text; the key is its role. */
const Server = z.strictObject({
  run: Argv,
  tool: z.string().min(1, "an empty name"),
  vendor: z.string().min(1, "an empty name"),
});

const AgentsFile = z.strictObject({
  /** Agent of every role that `roles` does not list. */
  default: AgentName.optional(),
  roles: z.record(Name, AgentName).default({}),
  /** Name -> custom agent program. */
  commands: z.record(Name, Command).default({}),
  /** Agent -> path of its program, if it is not on PATH. */
  programs: z.record(Name, z.string().min(1, "an empty path")).default({}),
  /** Agent -> its account with the provider, if two agents share one or one program uses several. */
  accounts: z.record(AgentName, Name).optional(),
  /** Further environment variables for agents. */
  env: z.array(VariableName).default([]),
  /** Hosts that a confined agent reaches besides those of its model; `open`: the whole network of the machine. */
  network: z.union([z.literal("open"), z.array(HostName)], "open, or a list of hosts").default([]),
});

const Agents = AgentsFile.extend({
  default: AgentName,
  /** Whether the file names the default; if not, the first reviewer is an installed agent (ORC-63). */
  named: z.boolean().default(true),
  servers: z.record(Name, Server).default({}),
});

const PathsFile = z.strictObject({
  tests: z
    .array(PathPattern)
    .min(1, "at least one")
    .default([
      "test/",
      "tests/",
      "**/__tests__/",
      "**/*.test.*",
      "**/*.spec.*",
      "**/test_*.py",
      "**/*_test.py",
      "**/conftest.py",
      "**/*_test.go",
    ]),
  source: z.array(PathPattern).min(1, "at least one").optional(),
});

const Paths = z.strictObject({
  tests: z.array(PathPattern).min(1, "at least one"),
  source: z.array(PathPattern).min(1, "at least one"),
  /** Only where the file names no source: see PathRules. Runs of earlier versions have none. */
  rest: z.strictObject({ configuration: z.array(z.string()) }).optional(),
});

const McpReviewer = z.strictObject({
  via: z.literal("mcp"),
  /** The server's program and its arguments. */
  server: Argv,
  tool: z.string().min(1, "an empty name"),
  vendor: Command.shape.vendor,
});
const Reviewer = z.union([AgentName, McpReviewer]);

/** The two reviewers of orchestrate, in order or by the names of their roles. */
const Reviewers = z.union([
  z.tuple([AgentName, AgentName]),
  z.strictObject({ gemini: Reviewer.optional(), claude: Reviewer.optional() }),
]);

/** Counter of a protocol -> its limit; there is no value for "unlimited". */
const Limits = z.record(
  Name,
  z
    .int("a limit is a whole number from 1 to 1000")
    .min(1, "a limit is at least 1")
    .max(1000, "a limit is at most 1000"),
);

/** Protocol of runs that a person's session begins with `enter`. */
const SessionSettings = z.strictObject({ protocol: Name });

const Sandbox = z.enum(["auto", "required", "off"]);

const Deadlines = z
  .strictObject({
    wall: Duration.prefault("30m"),
    idle: Duration.prefault("10m"),
    test: Duration.prefault("10m"),
  })
  .transform(({ wall, idle, test }) => ({ wallMs: wall, idleMs: idle, testMs: test }));

/** Limits of the graph and of its agents (docs/settings.md). */
const GraphFile = z.strictObject({
  maxDepth: z.int("a whole number from 0 to 8").min(0, "at least 0").max(8, "at most 8").default(3),
  maxChildren: z.int("a whole number from 1 to 64").min(1, "at least 1").max(64, "at most 64").default(8),
  maxNodes: z.int("a whole number from 1 to 1000").min(1, "at least 1").max(1000, "at most 1000").default(40),
  nudgeAfter: Duration.prefault("60s"),
  parallel: z.int("a whole number from 1 to 64").min(1, "at least 1").max(64, "at most 64").default(4),
});

/** For runs that workers do (SCL-04). */
const Workers = z.strictObject({
  /** What a worker must have for this repository, besides its agents and runners. */
  labels: z.array(Label).max(4, "at most 4").optional(),
  /** Run by /bin/sh in a worker's clone before its first work, such as `npm ci`. */
  install: z.array(z.string().min(1, "an empty command")).optional(),
});

/** All settings with their values. */
export const Settings = z.strictObject({
  version: z.literal(1),
  /** Runs of earlier versions have none, and need none. */
  protocol: Name.default("orchestrate"),
  agents: Agents,
  paths: Paths,
  runner: z.string().min(1, "an empty name").optional(),
  packages: Packages.optional(),
  tests: Tests.optional(),
  proof: ProofControls.optional(),
  limits: Limits,
  orchestrate: z.strictObject({ one_file_per_iteration: z.boolean() }),
  session: SessionSettings.optional(),
  notify: Notify.optional(),
  graph: GraphFile.omit({ nudgeAfter: true }).extend({ nudgeAfterMs: Milliseconds }),
  deadlines: z.strictObject({ wallMs: Milliseconds, idleMs: Milliseconds, testMs: Milliseconds }),
  budget: Budget,
  sandbox: Sandbox,
  store: Store.optional(),
  workers: Workers.optional(),
});
export type Settings = z.infer<typeof Settings>;

export const SettingsFile = z
  .strictObject({
    version: z.literal(1),
    /** Protocol of a run that names none. */
    protocol: Name.default("orchestrate"),
    agents: AgentsFile.prefault({}),
    reviewers: Reviewers.optional(),
    paths: PathsFile.transform(({ tests, source }) =>
      source === undefined ? { tests, source: ["src/"], rest: { configuration: [] } } : { tests, source },
    ).prefault({}),
    /** The test runner of the whole repository; default: detected for each package. */
    runner: z.string().min(1, "an empty name").optional(),
    /** Runners of single packages, if they cannot be detected. */
    packages: Packages.optional(),
    tests: TestsFile.optional(),
    proof: ProofControls.optional(),
    limits: Limits.default({}),
    orchestrate: z.strictObject({ one_file_per_iteration: z.boolean().default(false) }).prefault({}),
    session: SessionSettings.optional(),
    notify: Notify.optional(),
    graph: GraphFile.transform(({ nudgeAfter, ...graph }) => ({
      ...graph,
      nudgeAfterMs: nudgeAfter,
    })).prefault({}),
    deadlines: Deadlines.prefault({}),
    budget: budgetFile(Name).prefault({}),
    sandbox: Sandbox.default("auto"),
    store: StoreFile.optional(),
    workers: Workers.optional(),
  })
  .transform(({ reviewers, agents, ...rest }): Settings => {
    const { roles, servers } = readReviewers(reviewers);
    const { default: all, ...others } = agents;
    return {
      ...rest,
      agents: {
        ...others,
        default: all ?? "claude",
        named: all !== undefined,
        roles: { ...roles, ...agents.roles },
        servers,
      },
    };
  });

/** `reviewers` is a short form for the two reviewing roles of orchestrate. */
function readReviewers(
  given: z.infer<typeof Reviewers> | undefined,
): Pick<z.infer<typeof Agents>, "roles" | "servers"> {
  const roles: Record<string, string> = {};
  const servers: Record<string, z.infer<typeof Server>> = {};
  const named = Array.isArray(given) ? { gemini: given[0], claude: given[1] } : (given ?? {});
  for (const [role, reviewer] of Object.entries(named)) {
    if (reviewer === undefined) continue;
    roles[role] = typeof reviewer === "string" ? reviewer : `mcp:${role}`;
    if (typeof reviewer === "string") continue;
    const vendor = reviewer.vendor ?? (role === "gemini" ? "google" : "anthropic");
    servers[role] = { run: reviewer.server, tool: reviewer.tool, vendor };
  }
  return { roles, servers };
}
