/** `mettle protocol check NAME|FILE`: reports every error of a protocol and of the templates of its nodes. */
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { AppError } from "../../lib/errors.ts";
import { checkProtocol } from "../../protocol/check.ts";
import { examineProtocol, isLibrary } from "../../protocol/load.ts";
import { templateNames } from "../../engine/start/check-protocol.ts";
import type { Library } from "../../engine/start/library.ts";
import { shippedFamilies } from "../../families/families.ts";
import type { CommandHandler } from "../command.ts";
import { checkSteps, isStepsText } from "./check-steps.ts";
import { loadLibrary } from "./library.ts";

export const run: CommandHandler = async (io, given) => {
  const nameOrFile = given.need("name");
  const library = await loadLibrary(io);
  const { name, protocols } = library.protocols.has(nameOrFile)
    ? { name: nameOrFile, protocols: library.protocols }
    : await withFile(library, nameOrFile);
  const source = protocols.get(name);
  if (source && isStepsText(source)) return checkSteps(source, io.cwd);
  const { protocol, faults, walkable } = examineProtocol(name, protocols);
  if (isLibrary(protocol) && faults.length === 0)
    return {
      exit: 0,
      json: { name, sound: true, problems: [] },
      text: `${name} is sound: it has states to extend and nothing to run`,
    };
  const templates = await library.templates([protocol.name, ...protocol.bases]);
  const options = {
    templates: templateNames(templates),
    payloads: new Set(Object.keys(shippedFamilies.payloadKinds)),
  };
  const unsound = walkable ? checkProtocol(protocol, options) : [];
  const danglingTargets = faults.map((at) => ({ code: "leads_nowhere", at, message: at.message }));
  const problems = [...danglingTargets, ...unsound];
  // Errors of the protocol itself come first.
  if (problems.length === 0) shippedFamilies.assertTemplates(templates);
  const lines = [
    ...danglingTargets.map(
      ({ code, at, message }) => `${at.file}:${at.line}:${at.column}: ${code}: ${message}`,
    ),
    ...unsound.map(
      ({ code, machine, state, at, message }) =>
        `${at.file}:${at.line}:${at.column}: ${code}: ${machine}${state === undefined ? "" : `/${state}`}: ${message}`,
    ),
  ];
  const text = problems.length === 0 ? `${name} is sound` : lines.join("\n");
  return {
    exit: problems.length === 0 ? 0 : 1,
    json: { name, sound: problems.length === 0, problems },
    text,
  };
};

async function withFile(library: Library, file: string) {
  const text = await readFile(file).catch((cause: unknown) => {
    throw new AppError("protocol_unknown", `there is no protocol and no file ${file}`, {
      hint: "mettle protocol list",
      cause,
    });
  });
  const name = basename(file).replace(/\.ya?ml$/u, "");
  return { name, protocols: new Map([...library.protocols, [name, { text, file, own: true }]]) };
}
