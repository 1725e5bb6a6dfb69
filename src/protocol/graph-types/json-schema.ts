/** The graph's types as JSON Schema (draft 2020-12), each in `$defs` under its name in the specification. */
import * as z from "zod";
import { AttemptRecord, ImplExit, ImplInput, ImplMem } from "./impl.ts";
import { MergerExit, MergerInput } from "./merger.ts";
import { RebaserExit, RebaserInput } from "./rebaser.ts";
import { ChildSpec, InterfaceFile, ParentContext, ScaffoldExit, ScaffoldInput } from "./scaffold.ts";
import * as shared from "./shared.ts";
import { TDDExit, TDDInput, TDDMem, TDDMode } from "./tdd.ts";

const types = {
  ...shared,
  ScaffoldInput,
  ParentContext,
  ScaffoldExit,
  ChildSpec,
  InterfaceFile,
  TDDInput,
  TDDMode,
  TDDMem,
  TDDExit,
  ImplInput,
  ImplMem,
  AttemptRecord,
  ImplExit,
  MergerInput,
  MergerExit,
  RebaserInput,
  RebaserExit,
} as const;

export const graphTypeNames: readonly string[] = Object.keys(types);

/** All types. */
export function graphJsonSchema(): object {
  return { $schema: draft, $defs: definitions() };
}

/** One type with the types that it uses; null for an unknown name. */
export function graphTypeJsonSchema(name: string): object | null {
  const all = definitions();
  const wanted = Object.hasOwn(all, name) ? all[name] : undefined;
  if (wanted === undefined) return null;
  const used = usedBy(wanted, all);
  const $defs = Object.fromEntries(Object.entries(all).filter(([other]) => used.has(other)));
  return { $schema: draft, title: name, ...wanted, ...(used.size === 0 ? {} : { $defs }) };
}

const draft = "https://json-schema.org/draft/2020-12/schema";

type Definition = Readonly<Record<string, unknown>>;

function definitions(): Readonly<Record<string, Definition>> {
  const registry = z.registry<{ id: string }>();
  for (const [name, type] of Object.entries(types)) registry.add(type, { id: name });
  const { schemas } = z.toJSONSchema(registry, { io: "input", uri: reference });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _draft, $id: _id, ...definition }]) => [name, definition]),
  );
}

function reference(name: string): string {
  return `#/$defs/${name}`;
}

function usedBy(definition: Definition, all: Readonly<Record<string, Definition>>): ReadonlySet<string> {
  const used = new Set<string>();
  const open = [definition];
  for (let one = open.pop(); one !== undefined; one = open.pop())
    for (const name of Object.keys(all))
      if (!used.has(name) && JSON.stringify(one).includes(`"$ref":"${reference(name)}"`)) {
        used.add(name);
        open.push(all[name] ?? {});
      }
  return used;
}
