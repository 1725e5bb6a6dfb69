/**
 * Finds the folders of a repository's packages from its files: workspace lists, lockfiles, and the manifests of Python, Go
 * and Rust. packages.ts decides which have their own runner.
 */
import { parse } from "yaml";
import { matches } from "../../source/paths.ts";
import type { Project } from "./project.ts";

/** Folders with a slash, outer ones first, without the root. */
export async function packageFolders(project: Project): Promise<readonly string[]> {
  const paths = [...project.files.keys()].filter((path) => path.includes("/") && !isIgnored(path));
  const found = new Set([
    ...(await scriptPackages(project, paths)),
    ...foldersOf(paths, python),
    ...foldersOf(paths, /^go\.(mod|work)$/).filter((folder) => !isUnder(project, folder, "go.work")),
    ...(await crates(project, paths)),
  ]);
  return outerFirst([...found]);
}

export function outerFirst(folders: readonly string[]): readonly string[] {
  return folders.toSorted((a, b) => a.split("/").length - b.split("/").length || (a < b ? -1 : 1));
}

const python = /^(pyproject\.toml|setup\.(py|cfg)|\.?pytest\.(ini|toml)|tox\.ini)$/;
const locks = /^(package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?)$/;

/** Folders with fixtures or third-party code: they contain no tests of the project. */
export function isIgnored(path: string): boolean {
  return /(^|\/)(fixtures|testdata|vendor|node_modules|target|venv|[._][^/]*)\//.test(path);
}

function foldersOf(paths: readonly string[], name: RegExp): readonly string[] {
  return paths.flatMap((path) => {
    const at = path.lastIndexOf("/") + 1;
    return name.test(path.slice(at)) ? [path.slice(0, at)] : [];
  });
}

/** Whether a parent folder contains such a file. */
function isUnder(project: Project, folder: string, name: string): boolean {
  return above(folder).some((one) => project.files.has(`${one}${name}`));
}

function above(folder: string): readonly string[] {
  const parts = folder.split("/").slice(0, -1);
  return parts.map((_part, depth) =>
    parts
      .slice(0, depth)
      .map((part) => `${part}/`)
      .join(""),
  );
}

/**
 * Workspace members, folders with their own lockfile, and packages without a package.json above them. An example inside a
 * package is part of it.
 */
async function scriptPackages(project: Project, paths: readonly string[]): Promise<readonly string[]> {
  const isMember = await membership(project);
  const locked = new Set(foldersOf(paths, locks));
  return foldersOf(paths, /^package\.json$/).filter(
    (folder) => locked.has(folder) || isMember(folder) || !isUnder(project, folder, "package.json"),
  );
}

const lists = /^(package\.json|pnpm-workspace\.yaml|lerna\.json)$/;

async function membership(project: Project): Promise<(folder: string) => boolean> {
  const all = [...project.files.keys()];
  const named = all.filter((path) => lists.test(path.slice(path.lastIndexOf("/") + 1)) && !isIgnored(path));
  const workspaces = [...(await project.texts(named))].map(([path, text]) => ({
    root: path.slice(0, path.lastIndexOf("/") + 1),
    patterns: patternsOf(text),
  }));
  return (folder) =>
    workspaces.some(({ root, patterns }) => {
      if (!folder.startsWith(root)) return false;
      const inside = folder.slice(root.length, -1);
      const [out, taken] = [true, false].map((not) =>
        patterns
          .filter((pattern) => pattern.startsWith("!") === not)
          .map((pattern) => pattern.replace("!", "")),
      );
      return fits(inside, taken ?? []) && !fits(inside, out ?? []);
    });
}

/** Unlike a settings pattern, a workspace pattern matches the package's folder only. */
function fits(folder: string, patterns: readonly string[]): boolean {
  const depth = (path: string) => path.split("/").length;
  return patterns
    .map((pattern) => pattern.replace(/^\.\//, "").replace(/\/$/, ""))
    .some(
      (pattern) => matches(folder, pattern) && (pattern.includes("**") || depth(pattern) === depth(folder)),
    );
}

/** `workspaces: [...]`, `workspaces: { packages: [...] }`, `packages: [...]`; JSON is YAML. */
function patternsOf(text: string): readonly string[] {
  const value = read(text);
  const listed = property(value, "workspaces") ?? property(value, "packages");
  const names = Array.isArray(listed) ? listed : property(listed, "packages");
  return Array.isArray(names) ? names.filter((name) => typeof name === "string") : [];
}

function property(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}

function read(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return null; // an unreadable list names no package
  }
}

/** A crate below a `[workspace]` runs from the workspace. */
async function crates(project: Project, paths: readonly string[]): Promise<readonly string[]> {
  const manifests = [...project.files.keys()].filter((path) => /(^|\/)Cargo\.toml$/.test(path));
  const texts = await project.texts(manifests);
  const roots = [...texts].flatMap(([path, text]) =>
    /^\s*\[workspace\b/m.test(text) ? [path.slice(0, -"Cargo.toml".length)] : [],
  );
  return foldersOf(paths, /^Cargo\.toml$/).filter(
    (folder) => !roots.some((root) => root !== folder && folder.startsWith(root)),
  );
}
