/** `mettle protocol check` of a steps protocol: reports everything that `envoy protocol` would refuse, with the same codes. */
import { environment } from "../../config/env.ts";
import type { AppError } from "../../lib/errors.ts";
import type { YamlFault } from "../../lib/yaml/yaml-fault.ts";
import type { YamlSource } from "../../lib/yaml/yaml-document.ts";
import { examineStepsFile } from "../../families/steps/steps-protocols.ts";
import type { CliResult } from "../command.ts";

/** Whether the text declares a steps protocol; works for invalid YAML too. */
export function isStepsText({ text }: YamlSource): boolean {
  const whole = typeof text === "string" ? text : new TextDecoder().decode(text);
  return /^(?:["']?steps["']?\s*:|kind\s*:\s*["']?steps\b)/mu.test(whole);
}

export async function checkSteps(source: YamlSource, cwd: string): Promise<CliResult> {
  const path = environment()["PATH"] ?? "";
  const { name, errors } = await examineStepsFile(source, { cwd, path });
  // An error without a location in the file is thrown like any other.
  for (const error of errors) if (faultsOf(error).length === 0) throw error;
  const problems = errors.flatMap((error) =>
    faultsOf(error).map(({ file, line, column, message, allowed }) => ({
      code: error.code,
      at: { file, line, column },
      message: allowed === undefined ? message : `${message} (allowed: ${allowed.join(", ")})`,
    })),
  );
  const lines = problems
    .toSorted((a, b) => a.at.line - b.at.line || a.at.column - b.at.column)
    .map(({ code, at, message }) => `${at.file}:${at.line}:${at.column}: ${code}: ${message}`);
  const sound = problems.length === 0;
  return {
    exit: sound ? 0 : 2,
    json: { name, sound, problems },
    text: sound ? `${name} is a well-formed steps protocol` : lines.join("\n"),
  };
}

function faultsOf({ detail }: AppError): readonly YamlFault[] {
  const faults: unknown =
    typeof detail === "object" && detail !== null ? Reflect.get(detail, "faults") : null;
  return Array.isArray(faults) ? (faults as readonly YamlFault[]) : [];
}
