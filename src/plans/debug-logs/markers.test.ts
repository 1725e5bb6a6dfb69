import { expect, test } from "vitest";
import { stripDebugLogs } from "./markers.ts";

const js = "// [DEBUG-TEMP]";
const py = "# [DEBUG-TEMP]";

test("a marker is removed with all lines below it up to the first blank line, which stays, or to the end", () => {
  const seed = `${js}\nconsole.log("debug output");\nconsole.log("more debug");\n\n// real code here (blank line above preserves this)\n`;
  expect(stripDebugLogs(seed, "a.ts")).toEqual({
    text: "\n// real code here (blank line above preserves this)\n",
    markers: 1,
    removals: [
      { first: 1, last: 3, text: `${js}\nconsole.log("debug output");\nconsole.log("more debug");\n` },
    ],
    unrecognized: [],
  });
  expect(stripDebugLogs(`a();\n${js}\nlog();\n \t \nb();\n`, "a.js").text).toBe("a();\n \t \nb();\n");
  expect(stripDebugLogs(`a();\n\n  ${js}\n  log();`, "a.js").text).toBe("a();\n\n");
  expect(stripDebugLogs(js, "a.js")).toMatchObject({ text: "", markers: 1 });
  expect(stripDebugLogs(`${js}\nx();\n${js}\ny();\n\nz();\n${js}\nw();\n`, "a.cts")).toMatchObject({
    text: "\nz();\n",
    markers: 3,
  });
});

test("line ends, a byte order mark and bytes of any encoding stay unchanged", () => {
  const text = `\xef\xbb\xbf${py}\r\nprint(1)\r\n\r\nname = "J\xf6rg\x85"\r\nlast`;
  expect(stripDebugLogs(text, "a.py").text).toBe(`\xef\xbb\xbf\r\nname = "J\xf6rg\x85"\r\nlast`);
  expect(stripDebugLogs(`a\r${py}\rlog\r\rb`, "a.sh").text).toBe("a\r\rb");
});

const inText: Readonly<Record<string, readonly [path: string, text: string]>> = {
  template: ["a.ts", `const t = \`\n${js}\nx\n\`;\n`],
  "template after an expression": ["a.ts", `const t = \`\${ f({ a: "}" }) }\n${js}\nx\n\`;\n`],
  "block comment": ["a.mjs", `/*\n${js}\n*/\nx();\n`],
  "string that goes on": ["a.py", `s = """\n${py}\nx\n"""\n`],
  docstring: ["a.py", `def f():\n    '''About\n    ${py}\n    '''\n    return 1\n`],
  "here-document": ["a.sh", `cat <<EOF\n${py}\nx\nEOF\n`],
  "quoted here-document with tabs": ["a.bash", `cat <<-'END' | wc\n\t${py}\n\tEND\necho\n`],
  "second here-document": ["a.sh", `cat <<A <<"B C"\nit's\nA\n${py}\nB C\n`],
  "shell string": ["a.sh", `x='\n${py}\n'\ny="\\"\n${py}\n"\n`],
  "the other language": ["a.py", `${js}\nprint(1)\n`],
  "the other language's script": ["a.ts", `${py}\n`],
  "after code": ["a.ts", `f(); ${js}\nlog();\n`],
  "with more words": ["a.ts", `${js} for #12\n//[DEBUG-TEMP]\n`],
  "another file type": ["a.go", `${js}\nfmt.Println()\n`],
  "a document": ["README.md", `Write\n\n    ${js}\n`],
  "an ending in capitals": ["a.TS", `${js}\n`],
};

test.each(Object.entries(inText))("no marker: %s", (_what, [path, text]) => {
  const lines = text.split("\n").flatMap((line, index) => (line.includes("[DEBUG-TEMP]") ? [index + 1] : []));
  expect(stripDebugLogs(text, path)).toEqual({ text, markers: 0, removals: [], unrecognized: lines });
});

test("unbalanced quotes and slashes do not hide a marker", () => {
  for (const [path, before] of [
    ["a.ts", "const r = /[`'\"/*]/; // don't `\n"],
    ["a.tsx", "const x = <p>Don't</p>;\n"],
    ["a.py", '# it\'s """\nx = \'"""\'\n'],
    ["a.sh", "# it's <<EOF\necho \\' $(( 1 << n )) <<< word ${#x} a#b\ncase $x in\n  a) ;;\nesac\n"],
    ["a.sh", "cat <<EOF\nit's\nEOF\necho $'it\\'s'\n"],
  ] as const) {
    const marker = path === "a.ts" || path === "a.tsx" ? js : py;
    expect(stripDebugLogs(`${before}${marker}\nlog\n\nend\n`, path)).toMatchObject({
      text: `${before}\nend\n`,
      markers: 1,
    });
  }
});

test("a second cleanup finds nothing, even if the string of a log held an empty line", () => {
  const text = `a();\n${js}\nlog(\`one\n\n${js}\ntwo\`);\n\nb();\n`;
  const once = stripDebugLogs(text, "a.ts");
  expect(once).toMatchObject({ text: "a();\n\n\nb();\n", markers: 2, unrecognized: [] });
  expect(once.removals.map(({ first, last }) => [first, last])).toEqual([
    [2, 3],
    [5, 6],
  ]);
  expect(stripDebugLogs(once.text, "a.ts")).toEqual({
    text: once.text,
    markers: 0,
    removals: [],
    unrecognized: [],
  });
});

test("unrecognized markers are reported with their line in the remaining text", () => {
  const text = `${js}\nlog();\n\nconst s = "[DEBUG-TEMP]";\n`;
  expect(stripDebugLogs(text, "a.ts").unrecognized).toEqual([2]);
});
