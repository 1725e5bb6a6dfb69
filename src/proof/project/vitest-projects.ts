/** The packages that vitest runs from the root, because its configuration there lists them as projects. */
import { matches } from "../../source/paths.ts";
import type { Project } from "./project.ts";

const configs = /^(vitest\.(config|workspace)\.([cm]?[jt]s|json)|vite\.config\.[cm]?[jt]s)$/;
/** Literal lists only; a computed list names no project. */
const lists = [
  /\bprojects\s*:\s*\[([^\]]*)\]/,
  /\bdefineWorkspace\s*\(\s*\[([^\]]*)\]/,
  /^\s*(?:export default\s*)?\[([^\]]*)\]/m,
];

/** Folders or patterns; those with `!` are exclusions. */
export async function vitestProjects(root: Project): Promise<readonly string[]> {
  const names = [...root.files.keys()].filter((path) => configs.test(path));
  const texts = [...(await root.texts(names))];
  return texts.flatMap(([path, text]) => {
    const own = path.includes("workspace") ? lists : lists.slice(0, 1);
    const listed = own.flatMap((list) => list.exec(text)?.[1] ?? []).join(" ");
    return [...listed.matchAll(/["'`](!?)(?:\.\/)?([^"'`\n]+)["'`]/g)].map(
      ([, not, folder = ""]) =>
        `${not}${folder.replace(/\/?[^/]*\.[cm]?[jt]s(on)?$/, "").replace(/\/$/, "")}`,
    );
  });
}

/** @param prefix of a package, with its slash */
export function isProject(prefix: string, projects: readonly string[]): boolean {
  const folder = prefix.slice(0, -1);
  const depth = (path: string) => path.split("/").length;
  const fits = (pattern: string) =>
    pattern !== "" &&
    matches(folder, pattern) &&
    (pattern.includes("**") || depth(pattern) === depth(folder));
  const out = projects.filter((pattern) => pattern.startsWith("!")).map((pattern) => pattern.slice(1));
  return projects.some((pattern) => !pattern.startsWith("!") && fits(pattern)) && !out.some(fits);
}
