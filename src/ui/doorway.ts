/**
 * A file that leads a browser to an address. The program that opens it is given the file's name: an argument with the token in it
 * could be read in the list of processes. Confined agents do not see the folder (SEE-07).
 */
import { rmSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { newId } from "../lib/ids.ts";

export interface Doorway {
  readonly file: string;
  remove(): void;
}

/** @param folder the parent of all state homes */
export async function makeDoorway(folder: string, address: string): Promise<Doorway> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `page-${newId(8)}.html`);
  const text = `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>Mettle</title>
<meta http-equiv="refresh" content="0; url=${address}"><a href="${address}">the page of Mettle</a>
`;
  writeFileSync(file, text, { mode: 0o600, flag: "wx" });
  return { file, remove: () => rmSync(file, { force: true }) };
}
