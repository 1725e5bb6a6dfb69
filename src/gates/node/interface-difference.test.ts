import { beforeAll, describe, expect, test } from "vitest";
import { verifies } from "../../../test/verifies.ts";
import type { ChangeEntry } from "../../protocol/graph-types/shared.ts";
import { impactOf, interfaceDifference, levelOf } from "./interface-difference.ts";
import { loadParser, type Parse } from "../../source/syntax.ts";

let parse: Parse;
beforeAll(async () => void (parse = await loadParser()));

/** `symbol changeType` of one file before and after; null where it does not exist. */
function changed(path: string, before: string | null, after: string | null): readonly string[] {
  const texts = (text: string | null) => new Map(text === null ? [] : [[path, text]]);
  const { changes, unread } = interfaceDifference(texts(before), texts(after), parse);
  return [
    ...changes.map(({ symbol, changeType }) => `${symbol} ${changeType}`),
    ...unread.map((one) => `? ${one}`),
  ];
}

describe("changes that callers notice", () => {
  const cases: Readonly<Record<string, readonly [string, string | null, string | null, readonly string[]]>> =
    {
      "another body, another name of a parameter, a comment and a helper are nothing": [
        "a.ts",
        "export function load(path: string): string { return path; }\n",
        "const own = (x: string) => x;\n/** Loads. */\nexport function load(file: string): string {\n  return own(file);\n}\n",
        [],
      ],
      "a parameter more, another type, another result and async are a signature": [
        "a.ts",
        "export function a(x: string) {}\nexport function b(x: string) {}\nexport function c(): string { return ''; }\nexport function d() {}\nexport const e = (x?: string) => x;\n",
        "export function a(x: string, y: number) {}\nexport function b(x: number) {}\nexport function c(): number { return 1; }\nexport async function d() {}\nexport const e = (x: string) => x;\n",
        [
          "a SignatureChange",
          "b SignatureChange",
          "c SignatureChange",
          "d SignatureChange",
          "e SignatureChange",
        ],
      ],
      "a renamed export is one gone and one new": [
        "a.js",
        "export const load = () => 1;\n",
        "export const loadAll = () => 1;\n",
        ["load RemovedExport", "loadAll NewExport"],
      ],
      "types count whole": [
        "a.ts",
        'export interface Row { id: string }\nexport type Kind = "a" | "b";\nexport enum Color { Red }\n',
        'export interface Row {\n  // its key\n  id: string;\n  name?: string;\n}\nexport type Kind = "a" | "c";\nexport enum Color { Red }\n',
        ["Row SignatureChange", "Kind SignatureChange"],
      ],
      "methods of a class stand for themselves, private ones for nobody": [
        "a.ts",
        "export class Db { private x = 1; #y = 2; open(path: string) {} close() {} private own() {} }\n",
        "export class Db { private x = '1'; #y = 3; open(path: URL) {} private own(a: string) {} read() {} }\n",
        ["Db.open SignatureChange", "Db.close RemovedExport", "Db.read NewExport"],
      ],
      "a list of names and what is passed on": [
        "a.ts",
        'function own(a: string) {}\nexport { own as load };\nexport { b } from "./b.ts";\nexport * from "./c.ts";\nexport default own;\n',
        'function own(a: number) {}\nexport { own as load };\nexport { b } from "./bb.ts";\nexport default own;\n',
        [
          "load SignatureChange",
          "b SignatureChange",
          "default SignatureChange",
          "* from ./c.ts RemovedExport",
        ],
      ],
      "taken apart and put together": [
        "a.js",
        "export const { a, b: [c] } = make();\nexport const api = { open(path) {}, close() {} };\n",
        "export const { a } = make();\nexport const api = { open(path, mode) {}, close() {} };\n",
        ["c RemovedExport", "api.open SignatureChange"],
      ],
      CommonJS: [
        "a.cjs",
        "exports.load = (path) => path;\nexports.save = () => 1;\n",
        "exports.load = (path, mode) => path;\n",
        ["load SignatureChange", "save RemovedExport"],
      ],
      Python: [
        "a.py",
        "def load(path):\n    pass\n\ndef _own():\n    pass\n",
        "def load(path, mode):\n    pass\n\ndef save(path):\n    pass\n",
        ["load SignatureChange", "save NewExport"],
      ],
      Go: [
        "a.go",
        "package a\n\nfunc Load(path string) error {\n\treturn nil\n}\n",
        "package a\n\nfunc Load(path string) (int, error) {\n\treturn 0, nil\n}\n",
        ["Load SignatureChange"],
      ],
      Rust: ["a.rs", "pub fn load() -> u8 { 1 }\n", "fn load() -> u8 { 1 }\n", ["load RemovedExport"]],
      "a new file and a file that is gone": ["a.ts", null, "export const a = 1;\n", ["a NewExport"]],
      "a file that cannot be read is told": [
        "a.ts",
        "export const a = 1;\n",
        "export const = ;\n",
        ["? a.ts"],
      ],
      "a language that nobody reads is told": ["A.java", "class A {}\n", "class B {}\n", ["? A.java"]],
    };
  for (const [what, [path, before, after, expected]] of Object.entries(cases))
    test(`${what}`, () => {
      expect(changed(path, before, after)).toEqual(expected);
    });
});

test("reasons name the file and both signatures", () => {
  const { changes } = interfaceDifference(
    new Map([["src/db.ts", "export function load(path: string): Row[] { return []; }\n"]]),
    new Map([["src/db.ts", "export function load(path: string, limit: number): Row[] { return []; }\n"]]),
    parse,
  );
  expect(changes).toEqual([
    {
      symbol: "load",
      changeType: "SignatureChange",
      reason: "src/db.ts: load(path:string):Row[] is load(path:string, limit:number):Row[] now",
    },
  ]);
});

const entry = (symbol: string, changeType: ChangeEntry["changeType"], reason = ""): ChangeEntry => ({
  symbol,
  changeType,
  reason,
});

test("the level follows from the facts", () => {
  expect(levelOf([])).toBe("Trivial");
  expect(levelOf([entry("a", "BehaviorChange")])).toBe("Trivial");
  expect(levelOf([entry("a", "NewExport")])).toBe("Additive");
  expect(levelOf([entry("a", "NewExport"), entry("b", "SignatureChange")])).toBe("Breaking");
  expect(levelOf([entry("a", "RemovedExport")])).toBe("Breaking");
});

verifies(
  "V3-40",
  "facts raise an agent's level and never lower it, missing changes are added, and its behavioural changes stay",
  () => {
    const facts = { changes: [entry("load", "RemovedExport", "gone")], unread: [] };
    expect(impactOf({ impactLevel: "Trivial", changes: [] }, facts)).toEqual({
      impactLevel: "Breaking",
      changes: [entry("load", "RemovedExport", "gone")],
    });
    const behaves = entry("save", "BehaviorChange", "it sorts now");
    expect(impactOf({ impactLevel: "Breaking", changes: [behaves] }, { changes: [], unread: [] })).toEqual({
      impactLevel: "Breaking",
      changes: [behaves],
    });
    const said = entry("load", "RemovedExport", "use loadAll");
    expect(impactOf({ impactLevel: "Additive", changes: [said, behaves] }, facts).changes).toEqual([
      said,
      behaves,
    ]);
  },
);

test("an unchanged export is not reported, unless the files could not be read", () => {
  const invented = entry("other", "SignatureChange", "so it says");
  const said = { impactLevel: "Additive", changes: [invented] } as const;
  expect(impactOf(said, { changes: [], unread: [] })).toEqual({ impactLevel: "Additive", changes: [] });
  expect(impactOf(said, { changes: [], unread: ["A.java"] })).toEqual({
    impactLevel: "Breaking",
    changes: [invented],
  });
});
