/** Prints a steps protocol for an agent as text, or as JSON. */
import { splitCode } from "./code-spans.ts";
import type { StepInputs } from "./inputs.ts";
import type { StepsProtocol } from "./merge.ts";

export interface PrintOptions {
  readonly given?: StepInputs;
  /** The command for Envoy: `envoy`, or `mettle envoy` if another program has that name. */
  readonly call?: string;
}

export function printSteps(
  protocol: StepsProtocol,
  { given = [], call = "envoy" }: PrintOptions = {},
): string {
  const { name, description, inputs, outputs, steps } = withCommandName(protocol, call);
  const inputLines = inputs.map(
    (one) => `- ${one.name}: ${one.type} (${one.optional ? "optional" : "required"}) - ${one.description}`,
  );
  const givenLines = given.map(([key, value]) => `given: ${key} = ${inputText(value)}`);
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

/** Printed once, because the steps show texts in quotes, which a shell would change. */
const howToPass =
  "Pass a text that has backticks, quotes or line breaks by file: `--context @FILE`, or `--context -` for stdin.";

function takesText({ content }: { readonly content: string }): boolean {
  const options = /--(walkthrough|context|description|notes|questions|refinement-reason|message)\b/u;
  return splitCode(content).some(({ text, code }) => code && text.includes("envoy ") && options.test(text));
}

const howToWait =
  "A command that waits for a person (`… block-…-gate`, `… gemini review`) takes up to nine minutes: allow it 600 seconds. Exit code 3: not answered yet; call the same command again.";

function waits({ content }: { readonly content: string }): boolean {
  return splitCode(content).some(({ text, code }) => code && /envoy (plan block-|gemini review)/u.test(text));
}

export function stepsJson(
  protocol: StepsProtocol,
  options: PrintOptions = {},
): Readonly<Record<string, unknown>> {
  const { name, description, inputs, outputs, steps } = withCommandName(protocol, options.call ?? "envoy");
  const formatted_output = printSteps(protocol, options);
  return { name, description, inputs, outputs, step_count: steps.length, steps, formatted_output };
}

/** Replaces only commands: `envoy` in code, followed by a word. */
function withCommandName(protocol: StepsProtocol, call: string): StepsProtocol {
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

/** Always one line. */
function inputText(value: unknown): string {
  return typeof value === "string" && !/[\n\r]/u.test(value) ? value : JSON.stringify(value);
}
