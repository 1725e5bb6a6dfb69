/** The tools for a person's session that leads riper or dptr as the Main Thread (TDP-65, CORE-85). */
import type { CallToolResult, Tool } from "@modelcontextprotocol/sdk/types.js";
import * as z from "zod";
import { AppError } from "../lib/errors.ts";
import { issuesText } from "../lib/plain-issues.ts";
import type { Referee } from "../referee/referee.ts";
import { failed, type ToolSet } from "./tool-set.ts";

interface RefereeTool {
  readonly description: string;
  readonly input: z.ZodObject;
  readonly reads?: true;
  readonly call: (referee: Referee, args: unknown) => Promise<unknown>;
}

/** @param open returns the referee of this repository; called each time, since another process may have changed the run */
export function refereeTools(open: () => Promise<Referee>): ToolSet {
  return {
    tools: () => described,
    async call(name, args) {
      const tool = tools[name];
      if (tool === undefined) return failed(`the referee has no tool ${name}`);
      const read = tool.input.safeParse(args);
      if (!read.success) return failed(`error[bad_request]: ${issuesText(read.error)}`);
      try {
        return resultOf(await tool.call(await open(), read.data));
      } catch (error) {
        if (error instanceof AppError) return failed(refusalOf(error));
        throw error;
      }
    },
  };
}

/** Descriptions are in ASCII: Claude Code normalises Ω₁ᴾ to `Ω1P`, which is not a mode. */
const Enter = z.strictObject({
  mode: z.string().max(100).describe("O1P, O2A, O3P, O4C, O5T or O6V, or the symbol of the mode"),
  ctx: z.string().max(100_000).optional().describe("the task of a new run, or what O2A audits"),
});
const Report = z.strictObject({
  status: z.string().max(64).describe("the code of your decision"),
  message: z.string().max(16_000).optional(),
  payload: z.unknown().optional(),
});
const Observe = z.strictObject({ content: z.string().describe("what you want to say, up to 1 MiB") });
const Query = z.strictObject({
  pattern: z.string().max(1000).describe("OBS[S…,R…,A:…,T:…] with values, {current}, {n-1} or *"),
  after: z.int().min(0).optional(),
  limit: z.int().min(1).max(1000).optional(),
});
const HandOff = z.strictObject({ to: z.string().max(100), summary: z.string().max(100_000) });
const Start = z.strictObject({
  token: z.string().max(100).optional().describe("what Mettle printed when the person typed @orchestrate"),
  task: z.string().max(100_000).optional().describe("what to build, where the person named no task with it"),
});
const Nothing = z.strictObject({});

const tools: Readonly<Record<string, RefereeTool>> = {
  enter: {
    description:
      "Enters a mode of riper or dptr if it is the current mode of the run, and hands out its dispatch; O1P with a task begins a run.",
    input: Enter,
    call: (referee, args) => referee.enter(withoutUndefined(Enter.parse(args))),
  },
  next: {
    description:
      "Runs the gates that are due and says what comes next: the open dispatch with its line and prompt, or what the run waits for. May be called again.",
    input: Nothing,
    call: (referee) => referee.next(),
  },
  report: {
    description:
      "Ends the open dispatch with one status code. The checkout is looked at and the gates are run by Mettle; reported results are never used.",
    input: Report,
    call: (referee, args) => referee.report(withoutUndefined(Report.parse(args))),
  },
  observe: {
    description:
      "Adds to the dialogue of the open dispatch. Session, round, agent and time are set by Mettle.",
    input: Observe,
    call: async (referee, args) => ({ observation: await referee.observe(Observe.parse(args).content) }),
  },
  query: {
    description:
      "Reads the dialogue of the open dispatch, in order of writing; `next` is the `after` of the next page.",
    input: Query,
    reads: true,
    call: (referee, args) => referee.query(withoutUndefined(Query.parse(args))),
  },
  status: {
    description: "The state of the run in hand, as memory-bank/activeContext.md has it.",
    input: Nothing,
    reads: true,
    call: (referee) => referee.status(),
  },
  handoff: {
    description: "Leaves a mode of riper with a summary for the next one.",
    input: HandOff,
    call: (referee, args) => referee.handOff(HandOff.parse(args)),
  },
  start: {
    description:
      "Starts a run of Orchestrate for a person who typed its keyword in this session; no other call starts one.",
    input: Start,
    call: (referee, args) => referee.start(withoutUndefined(Start.parse(args))),
  },
};

const described: readonly Tool[] = Object.entries(tools).map(([name, { description, input, reads }]) => {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: "input" });
  return {
    name,
    description,
    // The schema is valid for MCP; only the types differ.
    inputSchema: { ...schema, type: "object" } as Tool["inputSchema"],
    annotations: {
      readOnlyHint: reads === true,
      destructiveHint: false,
      idempotentHint: reads === true || name === "next",
      openWorldHint: false,
    },
  };
});

/** Prints both codes if two rules refuse the call (RIP-01 and TDP-75). */
function refusalOf({ code, message, also, hint }: AppError): string {
  const second = also === null ? [] : [`error[${also.code}]: ${also.message}`];
  return [`error[${code}]: ${message}`, ...second, `hint: ${hint}`].join("\n");
}

function resultOf(answer: unknown): CallToolResult {
  return {
    content: [{ type: "text", text: typeof answer === "string" ? answer : JSON.stringify(answer, null, 2) }],
  };
}

type Present<Value> = { readonly [Key in keyof Value]: Exclude<Value[Key], undefined> };

/** Removes keys with the value undefined. */
function withoutUndefined<Value extends object>(value: Value): Present<Value> {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as Present<Value>;
}
