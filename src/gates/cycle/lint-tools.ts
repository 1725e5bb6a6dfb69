/** Linters: how to recognise that a project uses one, how to run it on files, and how to count its findings. Pure. */

export interface LintTool {
  readonly name: string;
  /** Files that it reads. */
  readonly reads: RegExp;
  readonly isConfigured: (project: ProjectRoot) => boolean;
  readonly argv: (paths: readonly string[]) => readonly string[];
  /** Counts the findings in its output; null where the output is not a result. */
  readonly count: (printed: unknown) => number | null;
}

/** The files at the root of a project, and the text of those that may hold settings of a linter. */
export interface ProjectRoot {
  readonly names: ReadonlySet<string>;
  readonly text: (name: string) => string;
}

const scripts = /\.[cm]?[jt]sx?$/u;
const endings = ["js", "mjs", "cjs", "ts", "mts", "cts"];

/** The first configured linter is used. */
export const lintTools: readonly LintTool[] = [
  {
    name: "eslint",
    reads: scripts,
    isConfigured: ({ names, text }) =>
      endings.some((ending) => names.has(`eslint.config.${ending}`)) ||
      [...names].some((name) => name.startsWith(".eslintrc")) ||
      text("package.json").includes('"eslintConfig"'),
    argv: (paths) => ["--format", "json", "--", ...paths],
    count: (printed) => sum(printed, (file) => lengthOf(fieldOf(file, "messages"))),
  },
  {
    name: "oxlint",
    reads: scripts,
    isConfigured: ({ names }) =>
      names.has(".oxlintrc.json") || endings.some((ending) => names.has(`oxlint.config.${ending}`)),
    argv: (paths) => ["--format", "json", ...paths],
    count: (printed) => lengthOf(fieldOf(printed, "diagnostics")),
  },
  {
    name: "biome",
    reads: /\.(?:[cm]?[jt]sx?|jsonc?|css)$/u,
    isConfigured: ({ names }) => names.has("biome.json") || names.has("biome.jsonc"),
    argv: (paths) => ["lint", "--reporter=json", ...paths],
    count: (printed) => {
      const summary = fieldOf(printed, "summary");
      const [errors, warnings] = [fieldOf(summary, "errors"), fieldOf(summary, "warnings")];
      return typeof errors === "number" && typeof warnings === "number" ? errors + warnings : null;
    },
  },
  {
    name: "ruff",
    reads: /\.pyi?$/u,
    isConfigured: ({ names, text }) =>
      names.has("ruff.toml") || names.has(".ruff.toml") || /^\[tool\.ruff\b/mu.test(text("pyproject.toml")),
    argv: (paths) => ["check", "--no-cache", "--output-format", "json", "--", ...paths],
    count: lengthOf,
  },
];

/** Files whose text `isConfigured` may request. */
export const settingsOfTools: readonly string[] = ["package.json", "pyproject.toml"];

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && name in value
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

function lengthOf(value: unknown): number | null {
  return Array.isArray(value) ? value.length : null;
}

function sum(value: unknown, of: (item: unknown) => number | null): number | null {
  if (!Array.isArray(value)) return null;
  const parts = value.map(of);
  return parts.includes(null) ? null : parts.reduce<number>((total, part) => total + (part ?? 0), 0);
}
