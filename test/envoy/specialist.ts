/** A specialist that knows only the output of `envoy protocol discovery` or `bug-discovery` with its inputs. */
import { expect } from "vitest";
import type { Json, Refusal } from "./plan-world.ts";
import { commandsIn, fillCommand, stepsIn } from "./printed-steps.ts";

export interface Approach {
  readonly number: string;
  readonly variant: string | null;
  readonly description: string;
  readonly context: string;
  readonly files: string;
  readonly questions: string | null;
}

/** The content of its findings. */
export interface Mind {
  readonly request: string;
  /** Output of the compiler and the linter, if a step runs them. */
  readonly check: () => Promise<string>;
  /** @param documents the results of the search */
  readonly notes: (output: string, documents: readonly string[]) => string;
  readonly approaches: (output: string) => readonly Approach[];
  readonly revise: (before: Json, output: string) => Pick<Approach, "description" | "context">;
}

export interface Terminal {
  /** Runs a line of `envoy`, with long texts in a file or stdin. @returns stdout; throws if the line fails */
  run(words: readonly string[]): Promise<string>;
}

export interface Survey {
  readonly protocol: "discovery" | "bug-discovery";
  readonly inputs: Json;
  readonly mind: Mind;
}

/** @returns the first two words of each command, in order */
export async function survey(
  terminal: Terminal,
  { protocol, inputs, mind }: Survey,
): Promise<readonly string[]> {
  const printed = await terminal.run(["protocol", protocol, "--inputs", JSON.stringify(inputs)]);
  const given = givenIn(printed);
  expect(given).toEqual(inputs);
  const references = (given["approach_references"] ?? []) as readonly Json[];
  const known = { "<AGENT_NAME>": String(given["agent_name"]) };
  const ran: string[] = [];
  const call = async (command: string, values: Readonly<Record<string, string | null>>): Promise<Json> => {
    const words = fillCommand(command, { ...known, ...values });
    ran.push(words.slice(0, 2).join(" "));
    const reply = JSON.parse(await terminal.run(words)) as { data?: Json; error?: Refusal };
    expect([words.slice(0, 3), reply.error]).toEqual([words.slice(0, 3), undefined]);
    return reply.data ?? {};
  };
  const refined: Json[] = [];
  let output = "";
  let documents: readonly string[] = [];
  for (const step of stepsIn(printed)) {
    if (step.startsWith("Run compiler/linter commands")) output = await mind.check();
    for (const command of commandsIn(step))
      switch (fillCommand(command, everyName(command)).slice(0, 2).join(" ")) {
        case "knowledge search": {
          const found = await call(command, everyName(command, mind.request));
          documents = (found["results"] as readonly Json[]).map((one) => String(one["resource_path"]));
          break;
        }
        case "plan get-finding-approach":
          for (const one of references)
            refined.push(
              await call(command, {
                "<SPECIALIST_NAME>": String(one["specialist_name"]),
                "<APPROACH_NUM>": String(one["approach_num"]),
                "<VARIANT>": typeof one["variant"] === "string" ? one["variant"] : null,
              }),
            );
          break;
        case "plan write-notes":
          await call(command, { "<TEXT>": mind.notes(output, documents) });
          break;
        case "plan write-approach": {
          const again = refined.map((before) => ({
            ...writtenBefore(before),
            ...mind.revise(before, output),
          }));
          for (const one of references.length > 0 ? again : mind.approaches(output))
            await call(command, {
              "<APPROACH_NUM>": one.number,
              "<LETTER>": one.variant,
              "<DESC>": one.description,
              "<HYPOTHESIS>": one.description,
              "<FULL_CONTEXT>": one.context,
              "<FILE1>,<FILE2>": one.files,
              "<Q1>|<Q2>": one.questions,
            });
          break;
        }
        default:
          await call(command, {});
      }
  }
  return ran;
}

/** The values of the inputs, below `## Inputs`. */
function givenIn(printed: string): Json {
  const lines = [...printed.matchAll(/^given: (\w+) = (.*)$/gmu)];
  return Object.fromEntries(
    lines.map(([, name = "", value = ""]) => [
      name,
      value.startsWith("[") ? (JSON.parse(value) as unknown) : value,
    ]),
  );
}

/** The value for a command with a single descriptive placeholder. */
function everyName(command: string, value = "x"): Readonly<Record<string, string>> {
  const names = [...command.matchAll(/"([^"]*<[^"]*)"|(\S*<\S+>)/gu)].map(
    ([, quoted, plain]) => quoted ?? plain ?? "",
  );
  return Object.fromEntries(names.map((name) => [name.replaceAll(/[[\]]/gu, "").toUpperCase(), value]));
}

function writtenBefore(before: Json): Approach {
  return {
    number: String(before["number"]),
    variant: before["variant"] as string | null,
    description: "",
    context: "",
    files: (before["relevant_files"] as readonly string[]).join(","),
    questions: null,
  };
}
