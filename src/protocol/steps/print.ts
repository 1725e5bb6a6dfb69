/** A steps protocol as an agent reads it, and as a program does. */
import { splitCode } from "./code-spans.ts";
import type { Given } from "./inputs.ts";
import type { StepsProtocol } from "./merge.ts";

export interface PrintOptions {
  readonly given?: Given;
  /** How an agent calls Envoy here: `envoy`, or `mettle envoy` where another program has the name. */
  readonly call?: string;
}

export function printSteps(
  protocol: StepsProtocol,
  { given = [], call = "envoy" }: PrintOptions = {},
): string {
  const { name, description, inputs, outputs, steps } = called(protocol, call);
  const inputLines = inputs.map(
    (one) => `- ${one.name}: ${one.type} (${one.optional ? "optional" : "required"}) - ${one.description}`,
  );
  const givenLines = given.map(([key, value]) => `given: ${key} = ${shown(value)}`);
  return [
    `# ${name}`,
    "",
    description.trimEnd(),
    "",
    "## Inputs",
    "",
    ...orNone(inputLines),
    ...givenLines,
    "",
    "## Outputs",
    "",
    ...orNone(outputs.map(({ value, description: about }) => `- ${value} - ${about}`)),
    "",
    "## Steps",
    "",
    ...(steps.some(takesText) ? [howToPass, ""] : []),
    ...(steps.some(waits) ? [howToWait, ""] : []),
    ...steps.map(({ number, content }) => `${number}: ${content}`),
  ].join("\n");
}

/** Said once, since each step shows its texts in quotes, as a shell would change them. */
const howToPass =
  "Pass a text that has backticks, quotes or line breaks by file: `--context @FILE`, or `--context -` for stdin.";

function takesText({ content }: { readonly content: string }): boolean {
  const options = /--(walkthrough|context|description|notes|questions|refinement-reason|message)\b/u;
  return splitCode(content).some(({ text, code }) => code && text.includes("envoy ") && options.test(text));
}

const howToWait =
  "A command that waits for a person (`… block-…-gate`, `… gemini review`) takes up to nine minutes: allow it 600 seconds. Exit code 3 says that nobody has answered yet: call the same command again.";

function waits({ content }: { readonly content: string }): boolean {
  return splitCode(content).some(({ text, code }) => code && /envoy (plan block-|gemini review)/u.test(text));
}

export function stepsJson(
  protocol: StepsProtocol,
  options: PrintOptions = {},
): Readonly<Record<string, unknown>> {
  const { name, description, inputs, outputs, steps } = called(protocol, options.call ?? "envoy");
  const formatted_output = printSteps(protocol, options);
  return { name, description, inputs, outputs, step_count: steps.length, steps, formatted_output };
}

/** Only commands change: what stands in code, with a word after it. */
function called(protocol: StepsProtocol, call: string): StepsProtocol {
  if (call === "envoy") return protocol;
  const steps = protocol.steps.map((step) => ({
    ...step,
    content: splitCode(step.content)
      .map(({ text, code }) =>
        code ? text.replaceAll(/(?<=(?:^|[\n`;&|(])[ \t]*)envoy(?=[ \t]+[-a-z])/gu, call) : text,
      )
      .join(""),
  }));
  return { ...protocol, steps };
}

function orNone(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? ["none"] : lines;
}

/** On one line whatever it holds. */
function shown(value: unknown): string {
  return typeof value === "string" && !/[\n\r]/u.test(value) ? value : JSON.stringify(value);
}
