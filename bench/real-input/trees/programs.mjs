/**
 * Programs of other people, and how each is split. A node has the module that it implements and the test file that is its
 * own; `base` is what stands there before, `drop` names scripts of package.json whose tools are not installed here.
 * `conflict`: two children add to one file. `breaking`: one renames what another uses. Both say what a person would say.
 */
const renamed = (text, from, to) => text.replaceAll(new RegExp(`(?<![\\w$])${from}(?![\\w$])`, "g"), to);

/**
 * Both children take something of theirs out into one file, at the same place.
 * @param shared the file
 * @param parts of each child: its module, how the module reads then, and what the shared file gains
 */
const shares = (shared, [first, second]) => ({
  first: first.id,
  second: second.id,
  files: (read) =>
    Object.fromEntries(
      [first, second].map(({ id, module, without, gains }) => [
        id,
        {
          [module]: without(read(module)),
          [shared]: `${read(shared).trimEnd()}\n\n${gains(read(module))}\n`,
        },
      ]),
    ),
  adapted: (read) => ({
    [shared]: `${read(shared).trimEnd()}\n\n${first.gains(read(first.module))}\n\n${second.gains(read(second.module))}\n`,
  }),
});

/** A private function that becomes a shared one: `function decode(…) {…}`. */
function taken(id, module, { name, from }) {
  const block = new RegExp(`^function ${name}\\([^]*?^\\}`, "m");
  return {
    id,
    module,
    without: (text) => `import { ${name} } from "${from}";\n${text.replace(block, "")}`,
    gains: (text) => `export ${block.exec(text)[0]}`,
  };
}

/** The expression over two points in a module, which becomes a shared function. */
function pointwise(id, module, name) {
  const expression = /a\[\d\] \* b[^;]*/;
  return {
    id,
    module,
    without: (text) => `import {${name}} from "./cross.js";\n\n${text.replace(expression, `${name}(a, b)`)}`,
    gains: (text) => `export function ${name}(a, b) {\n  return ${expression.exec(text)[0]};\n}`,
  };
}

function takenPython(id, module, { name, block }) {
  return {
    id,
    module,
    without: (text) =>
      text.replace(block, "").replace(/^from (?:\.|humanize\.)i18n import/m, `from .i18n import ${name}\n$&`),
    gains: (text) => `\n${block.exec(text)[0].trim()}`,
  };
}

export const programs = [
  {
    name: "d3-polygon",
    repo: "d3+d3-polygon",
    base: ["package.json", "README.md", "src/cross.js"],
    interfaceFile: "src/index.js",
    tree: {
      id: "polygon",
      source: "src/length.js",
      test: "test/length-test.js",
      exports: ["polygonLength"],
      children: [
        { id: "area", source: "src/area.js", test: "test/area-test.js", exports: ["polygonArea"] },
        {
          id: "centroid",
          source: "src/centroid.js",
          test: "test/centroid-test.js",
          exports: ["polygonCentroid"],
        },
        {
          id: "contains",
          source: "src/contains.js",
          test: "test/contains-test.js",
          exports: ["polygonContains"],
        },
        { id: "hull", source: "src/hull.js", test: "test/hull-test.js", exports: ["polygonHull"] },
      ],
    },
    conflict: shares("src/cross.js", [
      pointwise("area", "src/area.js", "leaning"),
      pointwise("centroid", "src/centroid.js", "turning"),
    ]),
    breaking: {
      first: "area",
      second: "hull",
      symbol: "cross",
      files: (read) => ({
        area: {
          "src/cross.js": read("src/cross.js").replace("export default function(", "export function cross("),
        },
      }),
      adapted: (read) => ({
        "src/hull.js": read("src/hull.js").replace("import cross from", "import {cross} from"),
      }),
    },
  },
  {
    name: "d3-format",
    repo: "d3+d3-format",
    base: [
      "package.json",
      "README.md",
      "vitest.config.js",
      ...[
        "exponent",
        "formatDecimal",
        "formatGroup",
        "formatNumerals",
        "formatPrefixAuto",
        "formatRounded",
      ].map((name) => `src/${name}.js`),
      ...["formatTrim", "formatTypes", "identity", "locale", "defaultLocale"].map((name) => `src/${name}.js`),
    ],
    interfaceFile: "src/index.js",
    tree: {
      id: "format",
      source: "src/formatSpecifier.js",
      test: "test/formatSpecifier-test.js",
      exports: ["formatSpecifier", "FormatSpecifier"],
      children: [
        {
          id: "round",
          source: "src/precisionRound.js",
          test: "test/precisionRound-test.js",
          exports: ["precisionRound"],
          children: [
            {
              id: "fixed",
              source: "src/precisionFixed.js",
              test: "test/precisionFixed-test.js",
              exports: ["precisionFixed"],
            },
            {
              id: "prefix",
              source: "src/precisionPrefix.js",
              test: "test/precisionPrefix-test.js",
              exports: ["precisionPrefix"],
            },
          ],
        },
      ],
    },
    breaking: {
      first: "fixed",
      second: "prefix",
      symbol: "exponent",
      files: (read) => {
        const named = (path) => ({
          [path]: read(path).replace("import exponent from", "import {exponent} from"),
        });
        const file = read("src/exponent.js").replace("export default function(", "export function exponent(");
        return {
          fixed: { "src/exponent.js": file, ...named("src/precisionFixed.js") },
          round: named("src/precisionRound.js"),
        };
      },
      adapted: (read) => ({
        "src/precisionPrefix.js": read("src/precisionPrefix.js").replace(
          "import exponent from",
          "import {exponent} from",
        ),
      }),
    },
  },
  {
    name: "cookie-es",
    repo: "unjs+cookie-es",
    drop: ["build"],
    base: [
      "package.json",
      "CHANGELOG.md",
      "vitest.config.ts",
      "tsconfig.json",
      "src/_utils.ts",
      "src/cookie/types.ts",
      "src/cookie/serialize.ts",
      "src/set-cookie/types.ts",
    ],
    interfaceFile: "src/index.ts",
    tree: {
      id: "cookie",
      source: "src/set-cookie/split.ts",
      test: "test/split-cookies-string.test.ts",
      exports: ["splitSetCookieString"],
      children: [
        {
          id: "parse",
          source: "src/cookie/parse.ts",
          test: "test/cookie-parse.test.ts",
          exports: ["parse", "parseCookie"],
        },
        {
          id: "set",
          source: "src/set-cookie/parse.ts",
          test: "test/set-cookie-parser.test.ts",
          exports: ["parseSetCookie"],
        },
      ],
    },
    conflict: shares("src/_utils.ts", [
      taken("parse", "src/cookie/parse.ts", { name: "decode", from: "../_utils.ts" }),
      taken("set", "src/set-cookie/parse.ts", { name: "_trim", from: "../_utils.ts" }),
    ]),
    breaking: {
      first: "set",
      second: "parse",
      symbol: "eqIndex",
      files: (read) => ({
        set: { "src/_utils.ts": renamed(read("src/_utils.ts"), "eqIndex", "equalsIndex") },
      }),
      adapted: (read) => ({
        "src/cookie/parse.ts": renamed(read("src/cookie/parse.ts"), "eqIndex", "equalsIndex"),
      }),
    },
  },
  {
    name: "knitwork",
    repo: "unjs+knitwork",
    drop: ["build", "prepack"],
    base: [
      "package.json",
      "tsconfig.json",
      "src/_utils.ts",
      "src/string.ts",
      "src/types.ts",
      "test/_utils.ts",
      "test/string.test.ts",
    ],
    interfaceFile: "src/index.ts",
    tree: {
      id: "knit",
      source: "src/typescript.ts",
      target: "src", // a child makes a second module
      test: "test/typescript.test.ts",
      exports: ["genInterface", "genAugmentation"],
      children: [
        { id: "esm", source: "src/esm.ts", test: "test/esm.test.ts", exports: ["genImport", "genExport"] },
        {
          id: "object",
          source: "src/object.ts",
          also: ["src/utils.ts"],
          test: "test/object.test.ts",
          exports: ["genObjectFromRaw"],
        },
      ],
    },
    conflict: {
      first: "object",
      second: "esm",
      without: ["src/_utils.ts"],
      files: (read) => ({
        object: { "src/_utils.ts": `${/^export const VALID.*$/m.exec(read("src/_utils.ts"))[0]}\n` },
        esm: { "src/_utils.ts": read("src/_utils.ts") },
      }),
      adapted: (read) => ({ "src/_utils.ts": read("src/_utils.ts") }),
    },
    breaking: {
      first: "esm",
      second: "object",
      symbol: "VALID_IDENTIFIER_RE",
      files: (read) => ({
        esm: Object.fromEntries(
          ["src/_utils.ts", "src/esm.ts"].map((path) => [
            path,
            renamed(read(path), "VALID_IDENTIFIER_RE", "IDENTIFIER"),
          ]),
        ),
      }),
      adapted: (read) => ({
        "src/utils.ts": renamed(read("src/utils.ts"), "VALID_IDENTIFIER_RE", "IDENTIFIER"),
      }),
    },
  },
  {
    name: "humanize",
    repo: "python-humanize+humanize",
    python: true,
    base: [
      "pyproject.toml",
      "README.md",
      "src/humanize/i18n.py",
      "src/humanize/time.py",
      "tests/__init__.py",
    ],
    // Made by its build from the tag.
    made: { "src/humanize/_version.py": '__version__ = "0"\n', ".gitignore": "__pycache__/\n" },
    interfaceFile: "src/humanize/__init__.py",
    tree: {
      id: "humanize",
      source: "src/humanize/lists.py",
      target: "src/humanize", // its tests import modules of it, not the package alone
      test: "tests/test_lists.py",
      exports: ["natural_list"],
      children: [
        {
          id: "filesize",
          source: "src/humanize/filesize.py",
          test: "tests/test_filesize.py",
          exports: ["naturalsize"],
        },
        {
          id: "number",
          source: "src/humanize/number.py",
          test: "tests/test_number.py",
          exports: ["intcomma", "ordinal"],
          // A test of its constants alone would pass on the stub.
          unfinished: [/\(3, 6[^)]*\)/, "(3,)"],
        },
      ],
    },
    conflict: shares("src/humanize/i18n.py", [
      takenPython("filesize", "src/humanize/filesize.py", {
        name: "suffixes",
        block: /^suffixes = \{[^]*?^\}\n/m,
      }),
      takenPython("number", "src/humanize/number.py", {
        name: "_format_not_finite",
        block: /^def _format_not_finite[^]*?(?=^def )/m,
      }),
    ]),
    breaking: {
      first: "filesize",
      second: "number",
      symbol: "_pgettext",
      files: (read) => ({
        filesize: {
          "src/humanize/i18n.py": renamed(read("src/humanize/i18n.py"), "_pgettext", "_context_gettext"),
        },
      }),
      adapted: (read) => ({
        "src/humanize/number.py": renamed(read("src/humanize/number.py"), "_pgettext", "_context_gettext"),
      }),
    },
  },
];
