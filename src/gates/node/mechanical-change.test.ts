import { beforeAll, describe, expect, test } from "vitest";
import { readConflict, withLabels, resolutions } from "./conflict-text.ts";
import { changedSymbols, mechanicalFault } from "./mechanical-change.ts";
import { droppedLine, hasMarkers } from "./mechanical-lines.ts";
import { loadParser, type Parse } from "../../source/syntax.ts";

let parse: Parse;
beforeAll(async () => void (parse = await loadParser()));

const renamed = changedSymbols([
  { symbol: "load", changeType: "RemovedExport" },
  { symbol: "loadAll", changeType: "NewExport" },
  { symbol: "Db.open", changeType: "SignatureChange" },
  { symbol: "Row", changeType: "SignatureChange" },
]);

function fault(path: string, before: string | readonly string[], after: string): string | null {
  const befores = typeof before === "string" ? [before] : before;
  const found = mechanicalFault({ path, befores, after, symbols: renamed, parse });
  return found === null ? null : `${found.line}: ${found.what}`;
}

const before = `import { load } from "./db.js";
import { other } from "./other.js";

export function total(list) {
  if (list.length === 0) return 0;
  const rows = load(list);
  return rows.length + db.open("a").size + \`\${rows}, \${list}\\n\`.length;
}
`;

describe("changes that only adapt", () => {
  const cases: Readonly<Record<string, string>> = {
    "a rename at its call sites and its import": before
      .replace("{ load }", "{ loadAll }")
      .replace("load(list)", "loadAll(list)"),
    "an import from elsewhere, and one that is gone": before
      .replace('"./db.js"', '"./store/db.js"')
      .replace('import { other } from "./other.js";\n', ""),
    "a name of the module before it": before
      .replace('import { load } from "./db.js"', 'import * as store from "./db.js"')
      .replace("load(list)", "store.loadAll(list)"),
    "an argument more, in another order, or in an object": before.replace(
      'open("a")',
      'open({ path: "a", mode: 1 })',
    ),
    "other space and comments": before.replace("return 0;", "return 0; // nothing\n"),
  };
  for (const [what, after] of Object.entries(cases))
    test(`${what}`, () => {
      expect(fault("src/a.js", before, after)).toBeNull();
    });

  test("types of a changed symbol, and the signature of a method with its name", () => {
    const was =
      "class Own extends Db {\n  open(path: string): Row { return this.find(path); }\n}\nconst row: Row<string> = f();\n";
    const now =
      "class Own extends Db {\n  open(path: string, mode: number): Promise<Row> { return this.find(path); }\n}\nconst row: Row<string, number> = f();\n";
    expect(fault("src/a.ts", was, now)).toBeNull();
  });
});

describe("changes that do more", () => {
  const cases: Readonly<Record<string, readonly [string, string]>> = {
    "an if": [
      before.replace("const rows", "if (!list) return 1;\n  const rows"),
      "6: it replaces a part by an if statement",
    ],
    "another returned expression": [
      before.replace("rows.length +", "rows.length -"),
      "7: it changes a binary expression",
    ],
    "another text between two values": [
      before.replace("}, $", "} and $"),
      "7: it changes a template element",
    ],
    "another number": [before.replace("return 0", "return 1"), "5: it changes a numeric literal"],
    "a statement more": [`${before}console.log(1);\n`, "9: it adds an expression statement"],
    "a statement less": [before.replace("  const rows = load(list);\n", "").replace("rows.length", "1"), ""],
    "a rename of something else": [before.replace("total(", "sum("), "4: it changes an identifier"],
    "a rename the wrong way round": [
      before.replace("load(list)", "open(list)"),
      "6: it changes an identifier",
    ],
    "an argument that is computed": [
      before.replace('open("a")', "open(list.map((x) => x + 1))"),
      "7: it computes a new argument by a call expression",
    ],
    "another object": [before.replace("db.open", "cache.open"), "7: it changes an identifier"],
    "text that is no program": ["export function (", "1: it no longer parses"],
  };
  for (const [what, [after, expected]] of Object.entries(cases))
    test(`${what}`, () => {
      const found = fault("src/a.js", before, after);
      if (expected === "") expect(found).not.toBeNull();
      else expect(found).toBe(expected);
    });
});

describe("by lines, in languages without a syntax tree", () => {
  const python = "from db import load\n\ndef total(rows):\n    found = load(rows)\n    return len(found)\n";

  test("imports and lines that name a symbol may differ", () => {
    const after = python.replace("import load", "import loadAll").replace("load(rows)", "loadAll(rows, 1)");
    expect(fault("a.py", python, after)).toBeNull();
  });

  test("any other line may not, whether new, removed or moved", () => {
    expect(fault("a.py", python, python.replace("len(found)", "len(found) + 1"))).toBe(
      "5: `return len(found) + 1` is not an import and names nothing that the sibling changed",
    );
    expect(fault("a.py", python, python.replace("    return len(found)\n", ""))).toMatch(
      /^5: `return len\(found\)`/,
    );
    expect(fault("a.py", python, python.replace("\ndef total", "\nx = 1\ndef total"))).toMatch(/^3: `x = 1`/);
  });
});

describe("conflicts", () => {
  const text = "a\n<<<<<<< 1111\nours\n=======\ntheirs\n>>>>>>> 2222\nb\n";

  test("each resolution of a conflict is a possible text", () => {
    expect(readConflict(text)).toEqual({
      common: ["a\n", "b\n"],
      hunks: [{ ours: "ours\n", theirs: "theirs\n" }],
    });
    expect(resolutions(text)).toEqual([
      "a\nours\nb\n",
      "a\nours\ntheirs\nb\n",
      "a\ntheirs\nours\nb\n",
      "a\ntheirs\nb\n",
    ]);
    expect(resolutions("a\n")).toEqual(["a\n"]);
    expect(resolutions(text.repeat(2))).toHaveLength(16);
    expect(resolutions(text.repeat(9))).toHaveLength(4);
    expect(withLabels(text, { ours: "shop", theirs: "shop--cart" })).toBe(
      "a\n<<<<<<< shop\nours\n=======\ntheirs\n>>>>>>> shop--cart\nb\n",
    );
    expect([hasMarkers(text), hasMarkers("a\n=======\nb\n")]).toEqual([true, false]);
  });

  test("the ancestor's text is ignored, and lines that both sides end with may appear once or twice", () => {
    const marked = "<<<<<<< 1\nf {\n}\n||||||| 0\nold\n=======\ng {\n}\n>>>>>>> 2\n";
    expect(readConflict(marked)).toEqual({
      common: ["", ""],
      hunks: [{ ours: "f {\n}\n", theirs: "g {\n}\n" }],
    });
    expect(resolutions(marked)).toEqual([
      "f {\n}\n",
      "f {\n}\ng {\n}\n",
      "g {\n}\nf {\n}\n",
      "g {\n}\n",
      "f {\ng {\n}\n",
      "g {\nf {\n}\n",
    ]);
  });

  test("one resolution without a fault is enough", () => {
    const ours = 'import { loadAll } from "./db.js";\n';
    const theirs = 'import { load, other } from "./db.js";\n';
    const marked = `<<<<<<< 1\n${ours}=======\n${theirs}>>>>>>> 2\nrun(load(1), other);\n`;
    const after = 'import { loadAll, other } from "./db.js";\nrun(loadAll(1), other);\n';
    expect(fault("a.js", resolutions(marked), after)).toBeNull();
  });

  test("of several resolutions the one with the latest fault gives the reason", () => {
    const ours = "a();\n";
    const theirs = "b();\na();\nc();\n";
    const marked = `<<<<<<< 1\n${ours}=======\n${theirs}>>>>>>> 2\n`;
    expect(fault("a.js", resolutions(marked), "b();\na();\nd();\n")).toBe("3: it changes an identifier");
  });
});

describe("the sibling's lines", () => {
  const base = 'import { load } from "./db.js";\nrun(load);\n';
  const sibling = 'import { loadAll } from "./db.js";\nrun(loadAll);\nfinish();\n';
  const merged = `${sibling}mine();\n`;
  const dropped = (after: string) => droppedLine({ base, sibling, merged, after });

  test("may be anywhere; its imports may be merged with others", () => {
    expect(dropped(merged)).toBeNull();
    expect(
      dropped('import { loadAll, more } from "./db.js";\nmine();\n  finish();\nrun(loadAll);\n'),
    ).toBeNull();
  });

  test("a removed one is reported, and so is a name that is no longer imported", () => {
    expect(dropped(merged.replace("finish();\n", ""))).toBe("finish();");
    expect(dropped(merged.replace("{ loadAll }", "{ other }"))).toBe('import { loadAll } from "./db.js";');
  });

  test("count as often as they were written", () => {
    const twice = { base: "", sibling: "a();\na();\n", merged: "a();\na();\n" };
    expect(droppedLine({ ...twice, after: "a();\n" })).toBe("a();");
  });

  test("a line that git did not merge is not required", () => {
    expect(droppedLine({ base: "", sibling: "a();\n", merged: "", after: "" })).toBeNull();
  });
});
