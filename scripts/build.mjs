// Builds dist/: the bins as bundles of esbuild (for a fast start), the library as plain output of tsc.
// Builds into a temporary folder and replaces dist/ as a whole; a failed build leaves the old dist/ unchanged.
// `--bins` keeps the library, for a tree with type errors.
import { spawn } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { build } from "esbuild";
import { root, work } from "./setup/root.mjs";

const entries = {
  mettle: "src/cli/main.ts",
  drive: "src/cli/background/main.ts",
  envoy: "src/envoy/main.ts",
  mcp: "src/mcp/main.ts",
  "mcp-http": "src/mcp/http.ts",
  "hook-report-plan": "src/hook/report-plan.ts",
  "hook-verify": "src/hook/verify.ts",
  "scripted-player": "src/agents/scripted/player.ts",
  "mcp-caller": "src/agents/mcp-tool/caller.ts",
  "acp-caller": "src/agents/acp/caller.ts",
  bridge: "src/process/network/bridge.ts",
};

/** Programs that start in half the time as one CommonJS file. */
const commonJsEntries = {
  mettle: "src/cli/start.ts",
  status: "src/cli/status.ts",
  envoy: "src/envoy/start.ts",
  hook: "src/hook/main.ts",
};

/** Loaded on demand, but part of the CommonJS file, since it is what that file is for. */
const included = new Set(["src/cli/commands/status.ts"]);

/** What a CommonJS file loads on demand are ES modules beside it, named by their path: `hook/brief.ts` is `hook-brief.js`. */
const partsOnDemand = {
  name: "parts-on-demand",
  setup: ({ onResolve }) => {
    onResolve({ filter: /^[.].*[.]tsx?$/ }, ({ path, kind, resolveDir }) => {
      const file = relative(root, join(resolveDir, path));
      if (kind !== "dynamic-import" || included.has(file)) return undefined;
      const [known] = Object.entries(entries).find(([, entry]) => entry === file) ?? [];
      const name = known ?? file.replace(/^src\/|[.]tsx?$/g, "").replaceAll("/", "-");
      entries[name] = file;
      return { path: `./${name}.js`, external: true };
    });
  },
};

/** Modules of Node that take milliseconds to load, and that most calls of the CommonJS files do not use. */
const slowBuiltins = ["node:crypto", "node:zlib"];

const lazyBuiltins = {
  name: "lazy-builtins",
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^node:/ }, ({ path, namespace }) =>
      namespace !== "lazy" && slowBuiltins.includes(path) ? { path, namespace: "lazy" } : undefined,
    );
    onLoad({ filter: /./, namespace: "lazy" }, async ({ path }) => {
      const names = Object.keys(await import(path)).filter((name) => name !== "default");
      return {
        contents: `const load = () => require(${JSON.stringify(path)});
for (const name of ${JSON.stringify(names)}) Object.defineProperty(exports, name, { enumerable: true, get: () => load()[name] });`,
      };
    });
  },
};

/** Some dependencies are CommonJS and call `require` even in a bundled ES module. */
const requireForCommonJs =
  'import { createRequire as __createRequire } from "node:module";const require = __createRequire(import.meta.url);';

/** zod has messages in 50 languages, of which Mettle uses one; loading the others takes a third of the start time. */
const onlyEnglish = {
  name: "only-english",
  setup: ({ onLoad }) =>
    onLoad({ filter: /[/]zod[/]v4[/]locales[/]index\.js$/ }, () => ({
      contents: 'export { default as en } from "./en.js";',
    })),
};

/**
 * libsql finds its native package by two diagnostic reports of the process, which takes seven times as long as loading it.
 * npm installs only the package of this machine, so the first one that loads is right.
 */
const directLibsql = {
  name: "direct-libsql",
  setup: ({ onLoad }) =>
    onLoad({ filter: /[/]node_modules[/]libsql[/]index\.js$/ }, ({ path }) => {
      const text = readFileSync(path, "utf8");
      const finder = /^const \{ load, currentTarget \}[\s\S]*?^function requireNative\(\) \{[\s\S]*?^\}$/m;
      if (!finder.test(text))
        throw new Error("libsql finds its native package differently than scripts/build.mjs expects");
      return { contents: text.replace(finder, () => loadNative) };
    }),
};

/** The MCP programs use no forms, so they need no validator of JSON schemas, which is half of the bundle. */
const withoutValidator = {
  name: "without-validator",
  setup: ({ onLoad }) =>
    onLoad({ filter: /[/]validation[/]ajv-provider\.js$/ }, () => ({
      contents: "export class AjvJsonSchemaValidator {}",
    })),
};

/**
 * The instrumenter of StrykerJS gets syntax trees of Mettle's own parser, so it needs none of its parsers, and no schema of
 * Stryker's settings.
 */
const instrumenterAlone = {
  name: "instrumenter-alone",
  setup: ({ onLoad }) => {
    onLoad({ filter: /[/]@stryker-mutator[/]instrumenter[/]dist[/]src[/]parsers[/]index\.js$/ }, () => ({
      contents: "export const createParser = undefined, getFormat = undefined;",
    }));
    onLoad({ filter: /[/]@stryker-mutator[/]api[/]dist[/]src[/]core[/]stryker-options-schema\.js$/ }, () => ({
      contents: "export const strykerCoreSchema = {};",
    }));
    onLoad({ filter: /[/]@stryker-mutator[/]instrumenter[/]dist[/]src[/]disable-type-checks\.js$/ }, () => ({
      contents: "export {};",
    }));
  },
};

const loadNative = `function requireNative() {
  const { platform, arch } = process;
  const kinds = platform !== "linux" ? [""] : arch === "arm" ? ["-gnueabihf", "-musleabihf"] : ["-gnu", "-musl"];
  let failure;
  for (const kind of kinds) {
    const name = "@libsql/" + platform + "-" + arch + kind;
    try {
      return require(name);
    } catch (error) {
      failure ??= error;
    }
  }
  throw failure;
}`;

const binsOnly = process.argv.includes("--bins");
const aside = join(work, `dist-${process.pid}`);
const dist = join(root, "dist");
try {
  mkdirSync(aside, { recursive: true });
  await Promise.all([bundleBins(), bundlePage(), binsOnly ? keepLibrary() : emitLibrary()]);
  copyRuntimeFiles();
  swap();
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
} finally {
  rmSync(aside, { recursive: true, force: true });
}

/** Chunks are beside the bins, so that `../../` is the package from each of them, as from src/cli/. */
async function bundleBins() {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  await build({
    absWorkingDir: root,
    entryPoints: commonJsEntries,
    outdir: join(aside, "bin"),
    outExtension: { ".js": ".cjs" },
    bundle: true,
    format: "cjs",
    platform: "node",
    external: ["@libsql/*", "@dbos-inc/*"],
    target: "node20.19",
    define: { METTLE_VERSION: JSON.stringify(version) },
    plugins: [partsOnDemand, lazyBuiltins, onlyEnglish, directLibsql],
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: "none",
    logLevel: "warning",
  });
  const present = Object.entries(entries).filter(([, file]) => existsSync(join(root, file)));
  if (present.length === 0) return;
  await build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(present),
    outdir: join(aside, "bin"),
    chunkNames: "[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    external: ["@libsql/*", "@dbos-inc/*"],
    define: { METTLE_VERSION: JSON.stringify(version) },
    banner: { js: requireForCommonJs },
    plugins: [onlyEnglish, directLibsql, withoutValidator, instrumenterAlone],
    // Halves the size; names stay, to keep stack traces readable.
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: "none",
    logLevel: "warning",
  });
  await keepShippedSteps();
  for (const name of readdirSync(join(aside, "bin"))) withoutIdleRequire(join(aside, "bin", name));
  for (const [name] of present) makeExecutable(join(aside, "bin", `${name}.js`));
  for (const name of Object.keys(commonJsEntries)) makeExecutable(join(aside, "bin", `${name}.cjs`));
}

/** The script of the page that `mettle ui` serves; its style is a text of the server. */
function bundlePage() {
  return build({
    absWorkingDir: root,
    entryPoints: { page: "src/page/app/main.tsx" },
    outdir: join(aside, "page"),
    bundle: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    minify: true,
    legalComments: "none",
    logLevel: "warning",
  });
}

/** Stores the loaded steps protocols, so that printing one needs no parser; an invalid one fails the build. */
async function keepShippedSteps() {
  const folder = join(root, "protocols/envoy");
  const loader = join(aside, "shipped-steps.mjs");
  await build({
    absWorkingDir: root,
    entryPoints: ["src/families/steps/shipped-steps.ts"],
    outfile: loader,
    bundle: true,
    format: "esm",
    platform: "node",
    banner: { js: requireForCommonJs },
    logLevel: "warning",
  });
  const { readShippedSteps } = await import(loader);
  writeFileSync(join(aside, "bin", "steps.json"), JSON.stringify(await readShippedSteps(folder)));
  rmSync(loader);
}

/** Most bundles have no CommonJS, and each `createRequire` costs time at every start. */
function withoutIdleRequire(file) {
  const text = readFileSync(file, "utf8");
  const rest = text.replace(`${requireForCommonJs}\n`, "");
  if (!/\brequire\b/.test(rest)) writeFileSync(file, rest);
}

function makeExecutable(file) {
  const text = readFileSync(file, "utf8");
  if (!text.startsWith("#!")) writeFileSync(file, `#!/usr/bin/env node\n${text}`);
  chmodSync(file, 0o755);
}

function emitLibrary() {
  const argv = ["-p", "tsconfig.build.json", "--outDir", join(aside, "lib")];
  return new Promise((resolve, reject) => {
    const tsc = spawn(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), ...argv], {
      cwd: root,
      stdio: ["ignore", "inherit", "inherit"],
    });
    tsc.on("error", reject);
    tsc.on("exit", (code) => (code === 0 ? resolve() : reject(new Error(`tsc ended with ${code}`))));
  });
}

function keepLibrary() {
  if (existsSync(join(dist, "lib"))) cpSync(join(dist, "lib"), join(aside, "lib"), { recursive: true });
}

/** Files that another process loads by path, for example test reporters: beside the bins and in the library. */
function copyRuntimeFiles() {
  const taken = new Set();
  for (const name of readdirSync(join(root, "src"), { recursive: true })) {
    if (!/\.(mjs|py)$|^evidence\/runners\/.*\.ini$/.test(name) || name.includes("fixtures/")) continue;
    if (taken.has(basename(name))) throw new Error(`two runtime files are called ${basename(name)}`);
    taken.add(basename(name));
    for (const target of [join(aside, "bin", basename(name)), join(aside, "lib", name)]) {
      mkdirSync(dirname(target), { recursive: true });
      cpSync(join(root, "src", name), target);
    }
  }
}

function swap() {
  const old = join(work, `old-${process.pid}`);
  if (existsSync(dist)) renameSync(dist, old);
  renameSync(aside, dist);
  rmSync(old, { recursive: true, force: true });
}
