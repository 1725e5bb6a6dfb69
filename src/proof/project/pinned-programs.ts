/**
 * The interpreter or toolchain that a project pins: a virtual environment, `.python-version`, `rust-toolchain.toml`, or the
 * lines `go` and `toolchain` of go.mod. If it is not installed, no other one replaces it.
 */
import { readdir } from "node:fs/promises";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { environment, userHome, variable } from "../../config/env.ts";
import type { Toolchain } from "../../evidence/runner.ts";
import { run } from "../../process/run.ts";
import type { Project } from "./project.ts";
import { readPlainFile } from "../../lib/plain-file.ts";

export interface Pin {
  /** The pinned program and the file that pins it: `Python 3.12 (.python-version)`. */
  readonly what: string;
  /** How to install it. */
  readonly hint: string;
  /** Possible locations besides PATH. */
  readonly files: readonly string[];
  /** No program on PATH can replace it. */
  readonly isOnly: boolean;
  accepts(version: string): boolean;
}

export interface PinContext {
  /** The package. */
  readonly project: Project;
  /** The package's folder in the user's checkout and its parents, up to the root. */
  readonly folders: readonly string[];
  readonly path: string;
}

/** Null where the project pins nothing. */
export async function pinOf(program: Exclude<Toolchain, "node">, pinning: PinContext): Promise<Pin | null> {
  switch (program) {
    case "python3":
      return (await environmentOf(pinning)) ?? pythonVersion(pinning);
    case "go":
      return goVersion(pinning);
    case "cargo":
      return rustToolchain(pinning);
    case "sh":
      return null;
  }
}

/** The activated environment, else one in the project, else the one of its package manager. */
async function environmentOf({ project, folders, path }: PinContext): Promise<Pin | null> {
  const active = variable("VIRTUAL_ENV");
  if (active !== null && isAbsolute(active))
    return environmentAt(active, `the activated environment ${active}`);
  for (const folder of path
    .split(delimiter)
    .filter((one) => folders.some((own) => one.startsWith(`${own}/`)))) {
    const place = dirname(folder);
    const isEnvironment =
      (await readPlainFile(join(place, "pyvenv.cfg"))) !== null ||
      (await readdir(join(place, "conda-meta")).catch(() => null)) !== null;
    if (isEnvironment) return environmentAt(place, `the activated environment ${place}`);
  }
  const tracked = (name: string) => [...project.files.keys()].some((file) => file.startsWith(`${name}/`));
  for (const [depth, folder] of folders.entries())
    for (const name of [".venv", "venv", "env"]) {
      const place = join(folder, name);
      const isCommitted = depth === 0 && tracked(name);
      if (!isCommitted && (await readPlainFile(join(place, "pyvenv.cfg"))) !== null)
        return environmentAt(place, `the environment ${name}`);
    }
  for (const [mark, manager, ...argv] of [
    ["poetry.lock", "poetry", "env", "info", "--path"],
    ["Pipfile", "pipenv", "--venv"],
  ] as const) {
    const folder = await firstWith(folders, mark);
    const place = folder === null ? null : await outputOf(manager, argv, { cwd: folder, path });
    if (place !== null) return environmentAt(place, `the environment that ${manager} made (${place})`);
  }
  return null;
}

function environmentAt(folder: string, what: string): Pin {
  return {
    what,
    hint: `install what the tests need there: \`${join(folder, "bin", "python")} -m pip install …\`, \`uv sync\``,
    files: ["python3", "python"].map((name) => join(folder, "bin", name)),
    isOnly: true,
    accepts: () => true,
  };
}

async function pythonVersion({ folders }: PinContext): Promise<Pin | null> {
  const pin = await versionIn(folders, [".python-version"], "python");
  const version = /^(?:cpython-)?(\d+(?:\.\d+)*)$/.exec(pin?.version ?? "")?.[1];
  if (pin === null || pin.version === "system") return null;
  const pyenv = variable("PYENV_ROOT") ?? join(userHome(), ".pyenv");
  const share = join(userHome(), ".local", "share");
  const roots = [
    join(pyenv, "versions"),
    join(userHome(), ".asdf", "installs", "python"),
    join(share, "mise", "installs", "python"),
    join(share, "uv", "python"),
  ];
  const wanted = version ?? pin.version;
  const fits = (name: string) => {
    const own = name.replace(/^cpython-/, "");
    return own === wanted || (version !== undefined && isVersion(own.split("-")[0] ?? "", version));
  };
  return {
    what: `Python ${wanted} (${pin.file})`,
    hint: `install it, e.g. \`pyenv install ${wanted}\` or \`uv python install ${wanted}\`, with what the tests need`,
    files: (await foldersIn(roots, fits)).map((folder) => join(folder, "bin", "python3")),
    isOnly: version === undefined,
    accepts: (own) => version === undefined || isVersion(own, version),
  };
}

async function goVersion({ project, folders }: PinContext): Promise<Pin | null> {
  const texts = [...(await project.texts(["go.mod", "go.work"])).values()];
  for (const folder of folders.slice(1)) texts.push((await readPlainFile(join(folder, "go.work"))) ?? "");
  const toolchains = texts.flatMap((text) =>
    [...text.matchAll(/^toolchain\s+go(\d[\w.]*)/gm)].map(([, version = ""]) => version),
  );
  const named = texts.flatMap((text) => [
    ...toolchains,
    // Before Go 1.21 the line was only a recommendation.
    ...[...text.matchAll(/^go\s+(\d[\w.]*)/gm)].flatMap(([, version = ""]) =>
      compare(version, "1.21") >= 0 ? [version] : [],
    ),
  ]);
  const wanted = named.toSorted(compare).at(-1);
  if (wanted === undefined) return null;
  const home = userHome();
  const cache =
    variable("GOMODCACHE") ?? join(variable("GOPATH")?.split(delimiter)[0] ?? join(home, "go"), "pkg", "mod");
  const places = await foldersIn(
    [join(cache, "golang.org"), join(home, "sdk"), "/usr/lib", "/usr/local"],
    (name) => {
      const own = /^(?:toolchain@v[\d.]+-)?go-?(\d[\w.]*?)(?:\.[a-z]+-\w+)?$/.exec(name)?.[1];
      return own !== undefined && compare(own, wanted) >= 0;
    },
  );
  return {
    what: `Go ${wanted} (go.mod)`,
    hint: `install it, e.g. \`go install golang.org/dl/go${wanted}@latest && go${wanted} download\``,
    files: places.map((folder) => join(folder, "bin", "go")),
    isOnly: false,
    accepts: (own) => {
      const version = own.replace(/^go/, "");
      // A Go before 1.21 treats the line `go` as a recommendation and ignores the line `toolchain`.
      const isAdvice = toolchains.length === 0 && compare(version, "1.21") < 0;
      return isAdvice || compare(version, wanted) >= 0;
    },
  };
}

async function rustToolchain({ folders }: PinContext): Promise<Pin | null> {
  for (const folder of folders)
    for (const name of ["rust-toolchain.toml", "rust-toolchain"]) {
      const text = await readPlainFile(join(folder, name));
      if (text === null) continue;
      const path = /^\s*path\s*=\s*["']([^"'\n]+)["']/m.exec(text)?.[1];
      const channel = /^\s*channel\s*=\s*["']([^"'\n]+)["']/m.exec(text)?.[1] ?? plainLine(text);
      if (path !== undefined)
        return toolchain(`the toolchain ${path} (${name})`, path, [join(folder, path)], null);
      if (channel === null) return null;
      const home = variable("RUSTUP_HOME") ?? join(userHome(), ".rustup");
      const fits = (one: string) =>
        one === channel || one.startsWith(`${channel}-`) || one.startsWith(`${channel}.`);
      const places = await foldersIn([join(home, "toolchains")], fits);
      const version = /^\d+(\.\d+)*$/.test(channel) ? channel : null;
      return toolchain(`Rust ${channel} (${name})`, channel, places, version);
    }
  return null;
}

function toolchain(what: string, name: string, places: readonly string[], version: string | null): Pin {
  return {
    what,
    hint: `install it: \`rustup toolchain install ${name}\``,
    files: places.map((folder) => join(folder, "bin", "cargo")),
    // A program of the distribution has a version but no channel.
    isOnly: version === null,
    accepts: (own) => version === null || isVersion(own, version),
  };
}

function plainLine(text: string): string | null {
  return /^\s*([\w.-]+)\s*$/.exec(text)?.[1] ?? null;
}

/** `3.11.7` matches 3.11. */
function isVersion(own: string, wanted: string): boolean {
  return own === wanted || own.startsWith(`${wanted}.`);
}

/** Compares by numbers; `1.22rc1` comes before `1.22`. */
export function compare(a: string, b: string): number {
  const parts = (version: string) => version.split(/[.]|(?=rc|beta)/);
  const [left, right] = [parts(a), parts(b)];
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const [one, other] = [left[at] ?? "0", right[at] ?? "0"].map((part) =>
      /^\d+$/.test(part) ? Number(part) : -1,
    );
    if (one !== other) return (one ?? 0) - (other ?? 0);
  }
  return 0;
}

interface PinnedVersion {
  readonly version: string;
  readonly file: string;
}

/** The first line of such a file in the nearest folder, or the entry of a `.tool-versions`. */
export async function versionIn(
  folders: readonly string[],
  files: readonly string[],
  tool: string,
): Promise<PinnedVersion | null> {
  for (const folder of folders) {
    for (const file of files) {
      const version = lines((await readPlainFile(join(folder, file))) ?? "")[0];
      if (version !== undefined) return { version, file };
    }
    const entry = lines((await readPlainFile(join(folder, ".tool-versions"))) ?? "").find((line) =>
      line.startsWith(`${tool} `),
    );
    const version = entry?.split(/\s+/)[1];
    if (version !== undefined) return { version, file: ".tool-versions" };
  }
  return null;
}

function lines(text: string): readonly string[] {
  return text
    .split("\n")
    .map((line) => line.replace(/#.*/, "").trim())
    .filter((line) => line !== "");
}

async function firstWith(folders: readonly string[], file: string): Promise<string | null> {
  for (const folder of folders) if ((await readPlainFile(join(folder, file))) !== null) return folder;
  return null;
}

/** Matching folders, newest version first. */
async function foldersIn(
  roots: readonly string[],
  fits: (name: string) => boolean,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const root of roots) {
    const names = (await readdir(root).catch(() => [])).filter(fits); // no such folder
    const sorted = names.toSorted((a, b) => compare(digits(b), digits(a)));
    found.push(...sorted.map((name) => join(root, name)));
  }
  return found;
}

function digits(name: string): string {
  return /\d[\w.]*/.exec(name)?.[0] ?? "0";
}

/** The output of a package manager in the project's folder; null where it is not installed or has no answer. */
async function outputOf(
  program: string,
  argv: readonly string[],
  { cwd, path }: { readonly cwd: string; readonly path: string },
): Promise<string | null> {
  const env = { ...environment(), PATH: path };
  const inside = path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !folder.startsWith(dirname(cwd)));
  const ran = await run(program, argv, {
    cwd,
    env: { ...env, PATH: inside.join(delimiter) },
    timeoutMs: 20_000,
  });
  const place = ran.stdout.toString("utf8").trim().split("\n").at(-1) ?? "";
  return ran.exitCode === 0 && isAbsolute(place) ? place : null;
}
