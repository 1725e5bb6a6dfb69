import { constants, extracted, later, pointwise, renamed, shares, taken, takenPython } from "./stories.mjs";

/**
 * Public programs and how each is split. A node has the module that it implements and its test file; `base` are the files before,
 * `drop` names scripts of package.json whose tools are not installed. `conflict`: two children add to one file. `breaking`: one
 * child renames an export that another one uses.
 */
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
    // A node with children has a folder for its module and theirs, and one for its tests.
    moved: {
      "test/round/precisionRound-test.js": "test/precisionRound-test.js",
      ...Object.fromEntries(
        ["Fixed", "Prefix", "Round"].map((name) => [
          `src/precision/precision${name}.js`,
          `src/precision${name}.js`,
        ]),
      ),
    },
    edited: (text) => text.replaceAll('"./precision', '"./precision/precision'),
    interfaceFile: "src/index.js",
    tree: {
      id: "format",
      source: "src/formatSpecifier.js",
      test: "test/formatSpecifier-test.js",
      exports: ["formatSpecifier", "FormatSpecifier"],
      children: [
        {
          id: "round",
          source: "src/precision/precisionRound.js",
          target: "src/precision",
          test: "test/round/precisionRound-test.js",
          exports: ["precisionRound"],
          children: [
            {
              id: "fixed",
              source: "src/precision/precisionFixed.js",
              test: "test/precisionFixed-test.js",
              exports: ["precisionFixed"],
            },
            {
              id: "prefix",
              source: "src/precision/precisionPrefix.js",
              test: "test/precisionPrefix-test.js",
              exports: ["precisionPrefix"],
            },
          ],
        },
      ],
    },
    conflict: shares("src/exponent.js", [
      extracted("fixed", "src/precision/precisionFixed.js", {
        name: "atLeastZero",
        from: "Math.max(0, -exponent",
        to: "-exponent",
        body: "Math.max(0, x)",
      }),
      extracted("prefix", "src/precision/precisionPrefix.js", {
        name: "withinPrefixes",
        from: "Math.max(-8, Math.min(8, Math.floor(exponent(value) / 3)))",
        to: "Math.floor(exponent(value) / 3))",
        body: "Math.max(-8, Math.min(8, x))",
      }),
    ]),
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
          fixed: {
            "src/exponent.js": file,
            ...named("src/precision/precisionFixed.js"),
            ...named("src/locale.js"),
          },
          round: named("src/precision/precisionRound.js"),
        };
      },
      adapted: (read) => ({
        "src/precision/precisionPrefix.js": read("src/precision/precisionPrefix.js").replace(
          "import exponent from",
          "import {exponent} from",
        ),
      }),
    },
  },
  {
    name: "d3-ease",
    repo: "d3+d3-ease",
    base: [
      "package.json",
      "README.md",
      ...["math", "quad", "cubic", "poly", "back"].map((name) => `src/${name}.js`),
      "test/asserts.js",
      "test/generic.js",
    ],
    passing: [/is an alias for/], // of a stub as well
    stubs: {
      "src/elastic.js": later(["elasticIn", "elasticOut", "elasticInOut"], ["amplitude", "period"]),
      "src/linear.js": 'export const linear = () => {\n  throw new Error("not implemented");\n};\n',
    },
    interfaceFile: "src/index.js",
    tree: {
      id: "ease",
      source: "src/linear.js",
      test: "test/linear-test.js",
      exports: ["easeLinear"],
      children: ["elastic", "exp", "sin", "circle", "bounce"].map((id) => ({
        id,
        source: `src/${id}.js`,
        test: `test/${id}-test.js`,
        exports: [`ease${id[0].toUpperCase()}${id.slice(1)}`],
      })),
    },
    conflict: shares("src/math.js", [
      constants("elastic", "src/elastic.js", {
        block: /^var tau = [^,]*/m,
        rest: ["var tau = 2 * Math.PI,\n    ", "var "],
        names: "tau",
      }),
      constants("sin", "src/sin.js", {
        block: /^var pi = [^;]*/m,
        rest: [/^var pi = [^;]*;\n/m, ""],
        names: "pi, halfPi",
      }),
    ]),
    breaking: {
      first: "exp",
      second: "elastic",
      symbol: "tpmt",
      files: (read) => ({
        exp: Object.fromEntries(
          ["src/math.js", "src/exp.js"].map((path) => [path, renamed(read(path), "tpmt", "scaledPower")]),
        ),
      }),
      adapted: (read) => ({ "src/elastic.js": renamed(read("src/elastic.js"), "tpmt", "scaledPower") }),
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
    passing: [/genSafeVariableName/], // of a module that is there already
    // Tests of a loop over data, two of them with the same title.
    edited: (text) =>
      text.replaceAll(
        /for \(const t of (\w+)\) \{\n\s*it\(genTestTitle\(t\.code\),/g,
        "for (const [n, t] of $1.entries()) {\n    it(`${n + 1}: ${genTestTitle(t.code)}`,",
      ),
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
    // Its build creates this file from the tag.
    made: {
      "src/humanize/_version.py": '__version__ = "0"\n',
      ".gitignore": "__pycache__/\n",
    },
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
          // A test of only its constants would pass on the stub, and unused imports could not be renamed.
          unfinished: [/^from \.i18n import _pgettext as P_\n([^]*?)\(3, 6[^)]*\)/m, "$1(3,)"],
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
