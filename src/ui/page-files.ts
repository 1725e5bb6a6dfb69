/** The built files of the page. They are read once, so an upgrade of the program never mixes two versions. */
import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { sha256 } from "../lib/hash.ts";
import { appStyle } from "../page/app/style.ts";
import { styleSheet } from "../page/parts/style/style-sheet.ts";
import { shell } from "./shell.ts";

export interface PageFile {
  readonly type: string;
  readonly text: string;
}

export interface PageFiles {
  /** Changes with every change of the page. */
  readonly build: string;
  /** @param name `` is the document itself */
  file(name: string): PageFile | null;
}

const types: Readonly<Record<string, string>> = { ".js": "text/javascript; charset=utf-8" };

/** @param folder the page's files as they were built */
export function readPageFiles(folder: string, version: string): PageFiles {
  const files = new Map<string, PageFile>();
  for (const name of namesIn(folder)) {
    const type = types[extname(name)];
    if (type !== undefined) files.set(name, { type, text: readFileSync(join(folder, name), "utf8") });
  }
  files.set("page.css", { type: "text/css; charset=utf-8", text: `${styleSheet}\n${appStyle}` });
  const build = sha256(JSON.stringify([version, ...files])).slice("sha256:".length, "sha256:".length + 12);
  files.set("", { type: "text/html; charset=utf-8", text: shell(build) });
  return { build, file: (name) => files.get(name) ?? null };
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return []; // the sources were not built
  }
}
