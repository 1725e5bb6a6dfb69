/** Reads a spec file, YAML or JSON (V3-89 to 91). Reports all faults at once, with line, field and expectation. */
import { readFile, stat } from "node:fs/promises";
import { basename } from "node:path";
import * as z from "zod";
import { cleanPath, pathFault } from "../../../gates/node/node-paths.ts";
import type { FindOutsideLink } from "../../../git/links.ts";
import { sha256 } from "../../../lib/hash.ts";
import { isObject } from "../../../lib/json.ts";
import { nearest } from "../../../lib/nearest.ts";
import type { YamlFault, YamlPosition } from "../../../lib/yaml/yaml-fault.ts";
import { parseYaml, yamlError, type YamlSource } from "../../../lib/yaml/yaml-document.ts";
import { issueFaults } from "../../../lib/yaml/yaml-issues.ts";
import { Spec } from "../../../protocol/graph-types/shared.ts";
import { idRuleText, isNodeId, nodeIdFrom } from "../node-ids.ts";
import type { RootSpec } from "../../../family/start-options.ts";
import { normalizeSpelling, type NormalizedSpec } from "./spec-spelling.ts";

/** The name of standard input. */
export const standardInput = "-";

const maxBytes = 1024 * 1024;

/** @param linkOut finds links that leave the commit that the run starts from */
export async function readSpecFile(path: string, linkOut: FindOutsideLink): Promise<RootSpec> {
  const fault = (message: string) =>
    yamlError("spec_invalid", [{ file: path, line: 1, column: 1, path: [], message }]);
  const found = await stat(path).catch(() => null);
  if (found === null) throw fault("there is no such file");
  if (!found.isFile()) throw fault("expected a file");
  if (found.size > maxBytes) throw fault("the file is larger than 1 MiB");
  const text = await readFile(path).catch((cause: unknown) => {
    throw fault(`it cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`);
  });
  return { spec: readSpec({ file: path, text }, linkOut), file: { path, hash: sha256(text) } };
}

/** @param source `file` is `-` for standard input, from which no id can be derived */
export function readSpec(source: YamlSource, linkOut: FindOutsideLink): Spec {
  const document = parseYaml(source, z.unknown(), "spec_invalid");
  if (!isObject(document.value)) {
    const message = `expected one mapping with ${Object.keys(SpecFile.shape).join(", ")}`;
    throw yamlError("spec_invalid", [{ ...document.at([]), path: [], message }]);
  }
  const written = normalizeSpelling(document.value);
  const named = "id" in written.value ? written.value : { ...idOf(source.file), ...written.value };
  const at = (path: readonly PropertyKey[]) => document.at(written.origin(path));
  const keyAt = (path: readonly PropertyKey[]) => document.keyAt(written.origin(path));
  const checked = issueFaults(SpecFile, { raw: named, at, keyAt });
  const shapeFaults = checked.faults.map(withField);
  const pathFaults = refusedPaths(named, linkOut).map(({ field, message }) => ({
    ...at([field]),
    path: [field],
    message: `${field}: ${message}`,
  }));
  const repeated = repeatedIds(named["acceptanceCriteria"]).map(({ path, message }) => ({
    ...at(path),
    path,
    message,
  }));
  const faults = [...doubledKeys(written, keyAt), ...shapeFaults, ...repeated.map(withField), ...pathFaults];
  if (faults.length > 0 || !checked.ok)
    throw yamlError(faults.length === pathFaults.length ? "path_refused" : "spec_invalid", faults);
  return toSpec(checked.value);
}

const nonBlank = z.string().refine((text) => text.trim() !== "", "is blank: expected a text");
const id = nonBlank.refine(isNodeId, `expected ${idRuleText}`);
/** Branch and node names that every run has. */
const reservedIds = ["result", "work", "base"];

const SpecFile = z.strictObject({
  id: id.refine(
    (word) => !reservedIds.includes(word.toLowerCase()),
    `expected another id than ${reservedIds.join(", ")}`,
  ),
  description: nonBlank,
  acceptanceCriteria: z
    .array(z.strictObject({ id, text: nonBlank }))
    .refine((list) => list.length > 0, "is empty: expected at least one criterion"),
  targetPath: nonBlank,
  testPath: nonBlank,
  complexityConstraints: z.strictObject({ time: nonBlank.nullish(), space: nonBlank.nullish() }).nullish(),
});

const expected: Readonly<Record<string, string>> = {
  acceptanceCriteria: "a list of criteria",
  targetPath: "a path relative to the repository",
  testPath: "a path relative to the repository",
};

/** `acceptanceCriteria[1].text: is missing, expected a text`. */
function withField(fault: YamlFault): YamlFault {
  const field = fault.path.reduce(
    (before, key) => (/^\d+$/u.test(key) ? `${before}[${key}]` : before === "" ? key : `${before}.${key}`),
    "",
  );
  const last = fault.path.at(-1) ?? "";
  const { allowed, ...rest } = fault;
  const near = allowed === undefined ? null : nearest(last, allowed);
  const [name = "", ...words] = fault.message.split(": ");
  const detail = words.length > 0 && name !== "" && field.endsWith(name) ? words.join(": ") : fault.message;
  const message = /^the key ".*" is missing$/u.test(detail)
    ? `is missing, expected ${expected[last] ?? "a text"}`
    : detail.startsWith("unknown key ")
      ? `unknown key, ${near === null ? `expected ${allowed?.join(", ")}` : `did you mean ${near}?`}`
      : detail;
  return { ...rest, message: `${field}: ${message}` };
}

function doubledKeys(
  { doubled }: NormalizedSpec,
  keyAt: (path: readonly PropertyKey[]) => YamlPosition,
): readonly YamlFault[] {
  return doubled.map(({ field, taken, key }) => ({
    ...keyAt([key]),
    path: [field],
    message: `${field}: is here twice, as ${taken} and as ${key}`,
  }));
}

/** Checked separately, because the schema skips this check if an entry has another fault. */
function repeatedIds(list: unknown): readonly { readonly path: string[]; readonly message: string }[] {
  const ids = Array.isArray(list)
    ? list.map((item: unknown) => (isObject(item) ? item["id"] : undefined))
    : [];
  return ids.flatMap((word, index) => {
    const first = ids.indexOf(word);
    if (typeof word !== "string" || first === index) return [];
    const message = `expected an id of its own: ${word} is criterion ${first + 1} already`;
    return [{ path: ["acceptanceCriteria", String(index), "id"], message }];
  });
}

/** Checks both paths if they are texts. */
function refusedPaths(
  { targetPath, testPath }: Readonly<Record<string, unknown>>,
  linkOut: FindOutsideLink,
): readonly { readonly field: string; readonly message: string }[] {
  const fields = Object.entries({ targetPath, testPath }).flatMap(([field, path]) => {
    if (typeof path !== "string" || path.trim() === "") return [];
    const fault = pathFault(path, linkOut);
    return fault === null ? [] : [{ field, message: `${JSON.stringify(path)} is refused: ${fault}` }];
  });
  const same =
    typeof targetPath === "string" &&
    typeof testPath === "string" &&
    cleanPath(targetPath) !== "" &&
    cleanPath(targetPath) === cleanPath(testPath);
  if (!same) return fields;
  return [
    ...fields,
    { field: "testPath", message: `${JSON.stringify(testPath)} is refused: it is the targetPath too` },
  ];
}

/** The stored form: clean paths and no null values. */
function toSpec(file: z.infer<typeof SpecFile>): Spec {
  const { complexityConstraints, targetPath, testPath, ...rest } = file;
  const given = Object.entries(complexityConstraints ?? {}).filter(([, text]) => text != null);
  return Spec.parse({
    ...rest,
    targetPath: cleanPath(targetPath),
    testPath: cleanPath(testPath),
    ...(given.length === 0 ? {} : { complexityConstraints: Object.fromEntries(given) }),
  });
}

function idOf(file: string): { readonly id?: string } {
  const made = file === standardInput ? "" : nodeIdFrom(basename(file).replace(/\.(ya?ml|json)$/iu, ""));
  return made === "" ? {} : { id: made };
}
