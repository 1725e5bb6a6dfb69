/**
 * From names to protocols: reads the file and its bases and gives the protocol with everything resolved. Pure: the
 * sources are handed in. Every fault is an AppError with file, line and column; soundness is check.ts.
 */
import { sha256 } from "../lib/hash.ts";
import { refuseNewer } from "../lib/refuse-newer.ts";
import { AppError } from "../lib/errors.ts";
import type { YamlFault } from "../lib/yaml/yaml-fault.ts";
import {
  checkValue,
  parseYaml,
  yamlError,
  type YamlDocument,
  type YamlSource,
} from "../lib/yaml/yaml-document.ts";
import { compile } from "./compile.ts";
import { extend, resolveLikes } from "./inherit.ts";
import type { Protocol } from "./machine.ts";
import { danglingFaults, impossibleFaults } from "./references.ts";
import { KindlessFile, MachineFile, MachineFileText } from "./schema.ts";
import { StepsFile } from "./steps-schema.ts";
import { child, faultAt, textOf, toDocument, toTree, without, type Tree } from "./tree.ts";

/** Protocol name -> its text and the file name that positions show. */
export type ProtocolSources = ReadonlyMap<string, YamlSource>;

export type ProtocolFile =
  | { readonly kind: "machine"; readonly document: YamlDocument<unknown> }
  | { readonly kind: "steps"; readonly document: YamlDocument<unknown>; readonly file: StepsFile };

const code = "protocol_invalid";
const newestVersion = 1;

/** The machine protocol of this name, with its bases applied. */
export function loadProtocol(name: string, sources: ProtocolSources): Protocol {
  const { protocol, faults } = examineProtocol(name, sources);
  if (faults.length > 0) throw yamlError(code, faults);
  return protocol;
}

export interface ProtocolReport {
  readonly protocol: Protocol;
  /** Unknown names and impossible routes; with faults the protocol cannot be loaded. */
  readonly faults: readonly YamlFault[];
  /** Whether all names are known, so that the checker can run despite faults. */
  readonly walkable: boolean;
}

/** Limit of the cache: a process uses few protocols, and a server requests the same ones repeatedly. */
const maxReports = 50;
const reports = new Map<string, ProtocolReport>();

/** Like `loadProtocol`, but returns the faults. */
export function examineProtocol(name: string, sources: ProtocolSources): ProtocolReport {
  const texts = [...sources].map(([own, { file, text }]) => [own, file, sha256(text)]);
  const key = sha256(JSON.stringify([name, texts]));
  const parsedFiles = reports.get(key) ?? examineNew(name, sources);
  if (reports.size >= maxReports) reports.clear();
  reports.set(key, parsedFiles);
  return parsedFiles;
}

function examineNew(name: string, sources: ProtocolSources): ProtocolReport {
  const layers = readLayers(name, sources);
  const merged = layers.map(({ tree }) => tree).reduceRight((base, over) => extend(base, over));
  const inherited = resolveLikes(merged);
  if (inherited.likeFaults.length > 0) throw yamlError(code, inherited.likeFaults);
  const document = toDocument(inherited.tree);
  const file = checkValue(document, MachineFile, code);
  const bases = layers.slice(1).map((layer) => layer.name);
  const { protocol, faults: missing } = compile({
    file,
    document,
    bases,
    mayBeUnreachable: inherited.mayBeUnreachable,
  });
  const dangling = [...missing, ...danglingFaults(protocol)];
  const faults = [...inherited.faults, ...dangling];
  // Computing possible outcomes walks the machines, which requires all names to be known.
  return {
    protocol,
    faults: faults.length > 0 ? faults : impossibleFaults(protocol),
    walkable: dangling.length === 0,
  };
}

/** Cache of parsed files, because a base is used by each protocol that extends it. */
const known = new WeakMap<YamlSource, ProtocolFile>();

/** Parses one file of either kind, without inheritance. */
export function readProtocolFile(source: YamlSource): ProtocolFile {
  const file = known.get(source) ?? parseProtocolFile(source);
  known.set(source, file);
  return file;
}

function parseProtocolFile(source: YamlSource): ProtocolFile {
  const document = parseYaml<unknown>(source, (raw) => schemaFor(raw, source.file), code);
  if (kindOf(document.raw) !== "steps") return { kind: "machine", document };
  return { kind: "steps", document, file: checkValue(document, StepsFile, code) };
}

/** A protocol of shared states and routes, without a machine to run. */
export function isLibrary(protocol: Protocol): boolean {
  return !Object.hasOwn(protocol.machines, "main");
}

interface Layer {
  readonly name: string;
  readonly tree: Tree;
}

/** The file and its bases, nearest first. */
function readLayers(name: string, sources: ProtocolSources): readonly Layer[] {
  const layers: Layer[] = [];
  let next: string | undefined = name;
  let from: Tree | undefined;
  while (next !== undefined) {
    if (from !== undefined && layers.some((layer) => layer.name === next)) {
      const circle = [...layers.map((layer) => layer.name), next].join(" -> ");
      throw yamlError(code, [faultAt(from, `extends refers back to itself: ${circle}`)]);
    }
    const tree = readLayer(next, sources, from);
    layers.push({ name: next, tree: without(tree, "extends") });
    from = child(tree, "extends");
    next = textOf(from);
  }
  return layers;
}

function readLayer(name: string, sources: ProtocolSources, from: Tree | undefined): Tree {
  const source = sources.get(name);
  if (source === undefined) throw unknownProtocol(name, sources, from);
  const read = readProtocolFile(source);
  const tree = toTree(read.document);
  if (read.kind === "steps") {
    if (from !== undefined)
      throw yamlError(code, [faultAt(from, `${name} is a steps protocol: no machine can extend it`)]);
    throw new AppError(code, `${source.file}: ${name} is a steps protocol, not a machine`, {
      hint: `print its steps with: envoy protocol ${name}`,
    });
  }
  // A copy may be checked under any name; a base must have the given name.
  const own = textOf(child(tree, "protocol"));
  if (from !== undefined && own !== name) {
    throw yamlError(code, [faultAt(from, `the file of ${name} says that it is ${own ?? "another"}`)]);
  }
  return tree;
}

function unknownProtocol(name: string, sources: ProtocolSources, from: Tree | undefined): AppError {
  const known = [...sources.keys()].toSorted();
  if (from !== undefined) return yamlError(code, [faultAt(from, `no protocol ${name} to extend`, known)]);
  return new AppError("protocol_unknown", `there is no protocol ${name}`, {
    hint: `use one of: ${known.join(", ")}`,
    detail: { known },
  });
}

function kindOf(raw: unknown): unknown {
  const named = entry(raw, "kind");
  // The seed's steps files have no kind.
  return named === undefined && entry(raw, "steps") !== undefined ? "steps" : named;
}

function schemaFor(raw: unknown, file: string) {
  refuseNewer(raw, { what: file, known: newestVersion });
  const kind = kindOf(raw);
  if (kind === "steps") return StepsFile;
  return kind === "machine" ? MachineFileText : KindlessFile;
}

function entry(raw: unknown, key: string): unknown {
  return raw !== null && typeof raw === "object" && Object.hasOwn(raw, key)
    ? Reflect.get(raw, key)
    : undefined;
}
