/**
 * Finds the program that starts a runner: the pinned one, else on Mettle's PATH, else in a fixed list of folders. Except for
 * a pinned environment, never inside the repository or among links of a package manager (CORE-16). Shims that select a
 * version by the working folder run once, from the root, and the program that they name is used.
 */
import { realpath } from "node:fs/promises";
import { delimiter, dirname, isAbsolute, join, sep } from "node:path";
import * as z from "zod";
import { environment, userHome } from "../../config/env.ts";
import type { Toolchain, Runner } from "../../evidence/runner.ts";
import { AppError } from "../../lib/errors.ts";
import { isExecutable } from "../../lib/files.ts";
import { parseJson } from "../../lib/json.ts";
import { run } from "../../process/run.ts";
import type { Pin } from "./pinned-programs.ts";

export interface FoundProgram {
  /** Absolute path. */
  readonly path: string;
  /** Its version, or that of the module that is the runner. */
  readonly version: string | null;
  /** Its modules that are runners, with their versions. */
  readonly modules?: Readonly<Record<string, string>>;
  /** Variables by which it finds its own parts and the packages installed on this machine. */
  readonly env: Readonly<Record<string, string>>;
  /** The triple that cargo builds for. */
  readonly target?: string;
}

export interface ProgramSearch {
  /** Mettle's PATH. */
  readonly path: string;
  /** Roots inside which programs are ignored. */
  readonly projects: readonly string[];
}

type RunnerProgram = Exclude<Toolchain, "node">;

export async function findProgram(
  { program, module, name }: { readonly program: RunnerProgram } & Pick<Runner, "module" | "name">,
  where: ProgramSearch,
  pin: Pin | null = null,
): Promise<FoundProgram> {
  const onPath = pin?.isOnly === true ? [] : await candidates(program, where);
  const files = [...onPath, ...(pin?.files ?? [])];
  let isThere = false;
  for (const file of files) {
    const found = await probe(program, file, where);
    if (found === null || pin?.accepts(found.version ?? "") === false) continue;
    isThere = true;
    if (module === undefined) return found;
    const version = found.modules?.[module];
    if (version !== undefined) return { ...found, version };
  }
  if (pin !== null)
    throw new AppError(
      "test_setup_missing",
      `the project pins ${pin.what}, which ${isThere ? `has no ${module ?? program}` : "is not on this machine"}`,
      { hint: pin.hint, detail: { runner: name, program, pinned: pin.what } },
    );
  const lacks =
    module === undefined || files.length === 0 ? "" : ` with ${module} (tried: ${files.join(", ")})`;
  throw new AppError(
    "runner_not_found",
    `${name} is the project's runner, but there is no ${program}${lacks}`,
    {
      hint: `install it outside the project and put it on PATH before Mettle starts; inside the repository only a virtual environment is used`,
      detail: { runner: name, program },
    },
  );
}

const folders = ["/usr/local/bin", "/usr/bin", "/bin", "/usr/local/go/bin", "/opt/homebrew/bin"];

async function candidates(
  program: RunnerProgram,
  { path, projects }: ProgramSearch,
): Promise<readonly string[]> {
  const places = [...path.split(delimiter), ...folders, join(userHome(), ".cargo", "bin")];
  const found: string[] = [];
  for (const place of new Set(places.filter((folder) => isAbsolute(folder)))) {
    const file = join(place, program);
    const target = await realpath(file).catch(() => null); // does not exist
    const folder = await realpath(place).catch(() => place);
    if (target === null || !(await isExecutable(file))) continue;
    const inside = [folder, target].some((one) => projects.some((root) => one.startsWith(`${root}${sep}`)));
    if (!inside && !place.split(sep).includes("node_modules")) found.push(file);
  }
  return found;
}

const known = new Map<string, FoundProgram | null>();

/** Cached for the life of this process: starting a program takes a tenth of a second, and the answer stays the same. */
async function probe(
  program: RunnerProgram,
  file: string,
  { path }: ProgramSearch,
): Promise<FoundProgram | null> {
  const key = [program, file, path].join("\n");
  const before = known.get(key);
  if (before !== undefined) return before;
  const found = await { python3: probePython, go: probeGo, cargo: probeCargo, sh: probeShell }[program](
    file,
    path,
  );
  known.set(key, found);
  return found;
}

const Python = z.object({
  path: z.string().min(1),
  version: z.string(),
  modules: z.record(z.string(), z.string()),
});
const pythonProbe = [
  "import json, sys",
  "modules = {}",
  "try:",
  "    try:",
  "        from importlib.metadata import version",
  "    except ImportError:", // Python 3.7, where pytest brings this package
  "        from importlib_metadata import version",
  "    modules['pytest'] = version('pytest')",
  "except Exception:",
  "    pass",
  "own = '.'.join(map(str, sys.version_info[:3]))",
  "print(json.dumps({'path': sys.executable, 'version': own, 'modules': modules}))",
].join("\n");

async function probePython(file: string, path: string): Promise<FoundProgram | null> {
  const answer = Python.safeParse(parseJson((await outputOf(file, ["-I", "-c", pythonProbe], path)) ?? ""));
  return answer.success ? { ...answer.data, env: {} } : null;
}

async function probeShell(file: string): Promise<FoundProgram | null> {
  return { path: file, version: null, env: {} };
}

const Go = z.object({ GOROOT: z.string().min(1), GOMODCACHE: z.string(), GOVERSION: z.string() });

async function probeGo(file: string, path: string): Promise<FoundProgram | null> {
  const answer = Go.safeParse(
    parseJson((await outputOf(file, ["env", "-json", ...Object.keys(Go.shape)], path)) ?? ""),
  );
  if (!answer.success) return null;
  const { GOROOT, GOMODCACHE, GOVERSION } = answer.data;
  return { path: join(GOROOT, "bin", "go"), version: GOVERSION, env: { GOMODCACHE } };
}

async function probeCargo(file: string, path: string): Promise<FoundProgram | null> {
  const rustc = join(dirname(file), "rustc");
  const sysroot = (await outputOf(rustc, ["--print", "sysroot"], path))?.trim();
  if (sysroot === undefined || !isAbsolute(sysroot)) return null;
  const bin = (name: string) => join(sysroot, "bin", name);
  const own = (await isExecutable(bin("cargo"))) ? bin("cargo") : file;
  const [version, about] = [
    await outputOf(own, ["--version"], path),
    await outputOf(bin("rustc"), ["-vV"], path),
  ];
  const target = /^host: (\S+)$/m.exec(about ?? "")?.[1];
  if (version === null || target === undefined) return null;
  const home = environment()["CARGO_HOME"] ?? join(userHome(), ".cargo");
  return {
    path: own,
    version: /\d+\.\d+\.\d+\S*/.exec(version)?.[0] ?? null,
    env: { RUSTC: bin("rustc"), RUSTDOC: bin("rustdoc"), CARGO_HOME: home },
    target,
  };
}

/** The output of a successful program, started outside of every project. */
async function outputOf(file: string, argv: readonly string[], path: string): Promise<string | null> {
  const env = { ...environment(), PATH: path, LC_ALL: "C.UTF-8" };
  const ran = await run(file, argv, { cwd: "/", env, timeoutMs: 20_000 });
  return ran.exitCode === 0 ? ran.stdout.toString("utf8") : null;
}
