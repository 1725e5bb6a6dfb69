import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { checkProtocol } from "../../protocol/check.ts";
import { examineProtocol, isLibrary, loadProtocol, readProtocolFile } from "../../protocol/load.ts";
import { toMermaid } from "../../protocol/mermaid.ts";
import { wireOf } from "../../protocol/wire/modes.ts";
import { packageRoot } from "../../config/package-root.ts";
import { openRepository } from "../../git/repository.ts";
import { environment } from "../../config/env.ts";
import { AppError } from "../../lib/errors.ts";
import { templateNames } from "../../runtime/check-templates.ts";
import { payloadNames } from "../../runtime/dispatch/payload-schemas.ts";
import { readLibrary, type Library } from "../../runtime/library.ts";
import type { CliCommand, CliResult, Io } from "../command.ts";

const actions = ["list", "show", "check", "graph", "legend", "schema"] as const;

export const command: CliCommand = {
  define: (line) =>
    line
      .argument("<action>", actions.join(", "))
      .argument("[name]", "a protocol's name; for check also a file"),
  async run(io, [action = "", name]) {
    const library = await readLibrary({ shipped: packageRoot("protocols"), root: await rootOf(io) });
    switch (action) {
      case "list":
        return list(library);
      case "show":
        return show(library, named(name));
      case "check":
        return check(library, named(name));
      case "graph":
        return graph(library, named(name));
      case "legend":
        return legend(library, named(name));
      case "schema":
        return schema();
      default:
        throw new AppError("usage", `protocol cannot ${action}`, {
          hint: `mettle protocol ${actions.join("|")} [NAME]`,
        });
    }
  },
};

/** The repository's own protocols count too; outside a repository there are only the shipped ones. */
async function rootOf(io: Io): Promise<string | null> {
  const path = environment()["PATH"] ?? "";
  return openRepository(io.cwd, { path }).then(
    ({ root }) => root,
    () => null,
  );
}

function named(name: string | undefined): string {
  if (name === undefined)
    throw new AppError("usage", "the protocol's name is missing", { hint: "mettle protocol list" });
  return name;
}

function list(library: Library): CliResult {
  const protocols = [...library.protocols].map(([name, { file, own }]) => ({
    name,
    ...about(library, name),
    file,
    own,
  }));
  const lines = protocols.map(({ name, kind, base, file, own }) =>
    [
      name.padEnd(16),
      (kind ?? "invalid").padEnd(8),
      (base ?? "-").padEnd(12),
      own ? "own    " : "shipped",
      file,
    ].join("  "),
  );
  return { exit: 0, json: { protocols }, text: lines.join("\n") };
}

/** A file that cannot be read as a protocol stands in the list too; `protocol check` says what is wrong with it. */
function about({ protocols }: Library, name: string) {
  try {
    const source = protocols.get(name);
    const read = source && readProtocolFile(source);
    if (read?.kind === "steps")
      return { kind: read.kind, base: read.file.extends ?? null, about: read.file.description };
    const { kind, bases, about } = loadProtocol(name, protocols);
    return { kind, base: bases[0] ?? null, about };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { kind: null, base: null, about: error.message };
  }
}

function show(library: Library, name: string): CliResult {
  const entry = library.protocols.get(name);
  if (!entry) throw unknown(library, name);
  const text = new TextDecoder().decode(entry.text).trimEnd();
  return { exit: 0, json: { protocol: loadProtocol(name, library.protocols) }, text };
}

async function check(library: Library, given: string): Promise<CliResult> {
  const { name, protocols } = library.protocols.has(given)
    ? { name: given, protocols: library.protocols }
    : await withFile(library, given);
  const source = protocols.get(name);
  if (source && readProtocolFile(source).kind === "steps")
    return {
      exit: 0,
      json: { name, sound: true, problems: [] },
      text: `${name} is a well-formed steps protocol`,
    };
  const { protocol, faults, walkable } = examineProtocol(name, protocols);
  if (isLibrary(protocol) && faults.length === 0)
    return {
      exit: 0,
      json: { name, sound: true, problems: [] },
      text: `${name} is sound: states to extend, nothing to run`,
    };
  const templates = await library.templates([protocol.name, ...protocol.bases]);
  const options = { templates: templateNames(templates), payloads: payloadNames };
  const unsound = walkable ? checkProtocol(protocol, options) : [];
  const leadsNowhere = faults.map((at) => ({ code: "leads_nowhere", at, message: at.message }));
  const problems = [...leadsNowhere, ...unsound];
  const lines = [
    ...leadsNowhere.map(({ code, at, message }) => `${at.file}:${at.line}:${at.column}: ${code}: ${message}`),
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
}

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

function graph(library: Library, name: string): CliResult {
  if (!library.protocols.has(name)) throw unknown(library, name);
  const text = toMermaid(loadProtocol(name, library.protocols));
  return { exit: 0, json: { name, mermaid: text }, text };
}

/** What the symbols of riper and dptr mean, and of what extends them. */
async function legend(library: Library, name: string): Promise<CliResult> {
  if (!library.protocols.has(name)) throw unknown(library, name);
  const { legendOf, printLegend } = await import("../../protocol/wire/legend.ts");
  const protocol = loadProtocol(name, library.protocols);
  const wire = wireOf(protocol);
  if (wire === null)
    throw new AppError("usage", `${name} speaks in words, not in symbols`, {
      hint: "mettle protocol legend riper|dptr",
    });
  const { groups, statuses } = legendOf(protocol, wire);
  return { exit: 0, json: { name, groups, statuses }, text: printLegend({ groups, statuses }) };
}

async function schema(): Promise<CliResult> {
  const { protocolJsonSchema } = await import("../../protocol/json-schema.ts");
  const schema = protocolJsonSchema();
  return { exit: 0, json: { schema }, text: JSON.stringify(schema, null, 2) };
}

function unknown(library: Library, name: string): AppError {
  return new AppError("protocol_unknown", `there is no protocol ${name}`, {
    hint: `known: ${[...library.protocols.keys()].join(", ")}`,
  });
}
