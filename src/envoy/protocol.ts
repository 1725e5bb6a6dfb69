/** `envoy protocol <name>`: prints the steps of a protocol merged with its bases. */
import { currentFolder } from "../config/current-folder.ts";
import { environment } from "../config/env.ts";
import { readInputs } from "../protocol/steps/inputs.ts";
import { printSteps, stepsJson } from "../protocol/steps/print.ts";
import { envoyCall } from "../agents/envoy-on-path.ts";
import { stepsProtocol } from "../families/steps/steps-protocols.ts";
import type { EnvoyAnswer } from "./answer.ts";
import type { CommandCall, Data } from "./command.ts";
import { readProtocolLine } from "./protocol-line.ts";

/** The protocol as one object, for tools. */
export async function run({ given, cwd }: CommandCall): Promise<Data> {
  const inputs = given.text("inputs");
  const words = [given.need("name"), "--json", ...(inputs === null ? [] : ["--inputs", inputs])];
  const answer = await protocol(words, cwd);
  return "data" in answer ? answer.data : {};
}

export async function protocol(words: readonly string[], cwd = currentFolder()): Promise<EnvoyAnswer> {
  const { name, json, inputs } = readProtocolLine(words);
  const path = environment()["PATH"] ?? "";
  const [found, call] = await Promise.all([stepsProtocol(name, { cwd, path }), envoyCall(path)]);
  const options = { call, given: inputs === null ? [] : readInputs(found, inputs) };
  return json ? { data: stepsJson(found, options) } : { text: printSteps(found, options) };
}
