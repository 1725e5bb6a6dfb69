/** The key `tests` of `mettle.yaml`: environment and preparation of test runs (docs/settings.md). */
import * as z from "zod";
import { isOwnVariable } from "./env.ts";

export const inRepository = (path: string): boolean =>
  !path.startsWith("/") &&
  !/^[A-Za-z]:/.test(path) &&
  !path.includes("\\") &&
  !path.split("/").includes("..");

const Name = z
  .string()
  .regex(/^[A-Za-z_]\w*$/, "a variable's name has letters, digits and _, and begins with no digit")
  .refine((name) => !isOwnVariable(name), "a variable that each test run has of its own");

/** `{ TZ: UTC, DATABASE_URL: }`, or `[TZ=UTC, DATABASE_URL]`: without a value it is taken from the user's environment. */
const Env = z
  .union([
    z.record(Name, z.union([z.string(), z.number(), z.boolean(), z.null()])),
    z.array(z.string().min(1, "an empty name")).transform((entries, context) => {
      const pairs = entries.map((entry) => /^([^=]*)(?:=([^]*))?$/.exec(entry) ?? []);
      for (const [, name] of pairs) {
        const { error } = Name.safeParse(name);
        if (error !== undefined)
          context.addIssue({ code: "custom", message: error.issues[0]?.message ?? "" });
      }
      return Object.fromEntries(pairs.map(([, name = "", value]) => [name, value ?? null]));
    }),
  ])
  .transform((env): Record<string, string | null> =>
    Object.fromEntries(
      Object.entries(env).map(([name, value]) => [name, value === null ? null : String(value)]),
    ),
  );

const oneOrMore = <Item extends z.ZodType<string>>(item: Item) =>
  z.union([item, z.array(item)]).transform((given): string[] => [given].flat());

const EnvFile = z
  .string()
  .min(1, "an empty path")
  .refine(inRepository, "a path is relative to the repository and inside it");

const Junit = z
  .strictObject({
    command: z.string().min(1, "an empty command"),
    reports: z
      .string()
      .regex(/^[\w./*?@+-]+$/, "a file pattern has letters, digits and . _ - + @ / * ?")
      .refine(inRepository, "a pattern is relative to the package and inside it")
      .optional(),
  })
  .refine(({ command, reports }) => reports !== undefined || command.includes("{report}"), {
    message: "name the reports: `reports: PATTERN`, or {report} in the command",
  });

const shape = {
  env: Env.optional(),
  /** Read from the base commit, else from the user's checkout. */
  envFile: oneOrMore(EnvFile).optional(),
  /** Run once in each clean checkout before its tests, by `/bin/sh`. */
  prepare: oneOrMore(z.string().min(1, "an empty command")).optional(),
  /** Arguments for the runner, before those of the proof. */
  args: z.array(z.string()).optional(),
  /** The command of the runner `junit`, and where its reports are. */
  junit: Junit.optional(),
  /** Parts of the test script that no proof has to execute: `playwright`, or the part as written. */
  unjudged: oneOrMore(z.string().min(1, "an empty command")).optional(),
};

export const TestsFile = z.strictObject({
  ...shape,
  /** Whether `prepare` may use the network. */
  network: z.boolean().optional(),
  /** Folder of a package -> its own values. */
  packages: z
    .record(
      z
        .string()
        .min(1, "an empty folder")
        .refine(inRepository, "a folder is relative to the repository and inside it"),
      z.strictObject(shape),
    )
    .optional(),
});

const Needs = z.object({
  env: z.record(z.string(), z.string().nullable()).optional(),
  envFile: z.array(z.string()).optional(),
  prepare: z.array(z.string()).optional(),
  args: z.array(z.string()).optional(),
  junit: z.object({ command: z.string(), reports: z.string().optional() }).optional(),
  unjudged: z.array(z.string()).optional(),
});
export type TestNeeds = z.infer<typeof Needs>;

export const Tests = Needs.extend({
  network: z.boolean().optional(),
  packages: z.record(z.string(), Needs).optional(),
});
export type Tests = z.infer<typeof Tests>;
