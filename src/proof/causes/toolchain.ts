/** An interpreter or toolchain that the project pins, where another one ran its tests. */
import { isAbsolute, join, sep } from "node:path";
import { isExecutable } from "../../lib/files.ts";
import { isObject } from "../../lib/json.ts";
import { manifest } from "../project/manifest.ts";
import type { CheckoutCause, BaseContext } from "./cause.ts";

export async function pythonEnvironment({
  repository,
  packages,
  output,
  env,
}: BaseContext): Promise<readonly CheckoutCause[]> {
  const program = packages.find(({ found }) => found.program !== null && /python/.test(found.program.path));
  const path = program?.found.program?.path;
  if (path === undefined) return [];
  const active = env["VIRTUAL_ENV"] ?? "";
  const folders = [
    ...(isAbsolute(active) ? [active] : []),
    ...[".venv", "venv", "env"].map((folder) => join(repository.checkout, folder)),
  ];
  for (const folder of folders) {
    if (!(await isExecutable(join(folder, "bin", "python"))) || path.startsWith(`${folder}${sep}`)) continue;
    return [
      {
        what: `the tests ran with ${path}, not with the project's own environment ${folder}`,
        help: "use a Mettle version that supports it, or install the tests' dependencies for the python3 on PATH",
        isMentioned: /No module named|ModuleNotFoundError|ImportError|unrecognized arguments/.test(output),
      },
    ];
  }
  return [];
}

/** The version that a version manager would select; the program itself checks whether it fits. */
export async function pins({ base, packages, output }: BaseContext): Promise<readonly CheckoutCause[]> {
  const texts = await base.texts([
    ".nvmrc",
    ".node-version",
    ".python-version",
    "rust-toolchain",
    "rust-toolchain.toml",
    "package.json",
  ]);
  const programs = new Set(packages.map(({ found }) => found.program?.path ?? "node"));
  return [...texts].flatMap(([file, text]): readonly CheckoutCause[] => {
    const pin = file === "package.json" ? enginesOf(text) : (text.trim().split("\n").at(-1)?.trim() ?? "");
    if (pin === null || pin === "" || isUsed(file, pin, programs)) return [];
    return [
      {
        what: `${file} requests ${pin}; the tests ran with ${ranWith(file, programs)}`,
        help: "start Mettle where that version is active",
        isMentioned:
          /requires? (?:go|rustc|python|node)|unsupported engine|is not supported by this version/i.test(
            output,
          ),
      },
    ];
  });
}

function enginesOf(text: string): string | null {
  const { engines } = manifest(text);
  return isObject(engines) && typeof engines["node"] === "string" ? `node ${engines["node"]}` : null;
}

/** Only node's own version is known here; other pins are reported when that program ran. */
function isUsed(file: string, pin: string, programs: ReadonlySet<string>): boolean {
  const ofNode = file === ".nvmrc" || file === ".node-version" || file === "package.json";
  if (!ofNode)
    return ![...programs].some((program) => program.includes(file.startsWith("rust") ? "cargo" : "python"));
  const major = /\d+/.exec(pin)?.[0];
  return !programs.has("node") || major === undefined || isWithin(pin, Number(major));
}

function isWithin(pin: string, major: number): boolean {
  const own = Number(process.versions.node.split(".")[0]);
  return /[>^|*x]|\d\s*-/.test(pin) ? own >= major : own === major;
}

function ranWith(file: string, programs: ReadonlySet<string>): string {
  return programs.has("node") && !/python|rust/.test(file)
    ? `node ${process.version}`
    : [...programs].join(", ");
}

/** Go reports it: a proof does not download the toolchain named by go.mod. */
export function goToolchain({ output }: BaseContext): readonly CheckoutCause[] {
  const match = /go(?:\.mod|\.work)? requires go >= (\S+) \(running go (\S+?)[;)]/.exec(output);
  if (match === null) return [];
  const [, wanted = "", running = ""] = match;
  return [
    {
      what: `go.mod requires go ${wanted}, and go ${running} is installed`,
      help: `install go ${wanted} and put it first on PATH`,
      isMentioned: true,
    },
  ];
}
