/** Reads the shipped protocols and templates and the user's own in `.mettle/`, which take precedence. */
import { readFile, readdir } from "node:fs/promises";
import { basename, join } from "node:path";

export interface LibraryFile {
  /** The raw bytes; the parser reports invalid UTF-8. */
  readonly text: Uint8Array;
  readonly file: string;
  readonly own: boolean;
}

export interface Library {
  /** Protocol name -> its file. */
  readonly protocols: ReadonlyMap<string, LibraryFile>;
  /**
   * Texts of the templates of a protocol and its bases: Markdown by name (`plan-review`), Jinja of graph nodes by file
   * (`impl.jinja`).
   */
  templates(names: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

export interface LibraryPlaces {
  /** Folder of shipped protocols: one folder each; step protocols are files in the folder `envoy`. */
  readonly shipped: string;
  /** Root of the user's repository, or null outside one. */
  readonly root: string | null;
}

/** Extension of templates that are not Markdown; a run keeps it in their names. */
export const jinja = ".jinja";

export const stepsFolder = "envoy";

export async function readLibrary({ shipped, root }: LibraryPlaces): Promise<Library> {
  const protocols = new Map<string, LibraryFile>();
  for (const name of await list(shipped)) {
    const file = join(shipped, name, "protocol.yaml");
    const text = await readBytes(file);
    if (text !== null) protocols.set(name, { text, file, own: false });
  }
  for (const name of await list(join(shipped, stepsFolder))) {
    const file = join(shipped, stepsFolder, name);
    const text = name.endsWith(".yaml") ? await readBytes(file) : null;
    if (text !== null) protocols.set(basename(name, ".yaml"), { text, file, own: false });
  }
  const own = root === null ? null : join(root, ".mettle", "protocols");
  for (const name of own === null ? [] : await list(own)) {
    if (!/\.ya?ml$/u.test(name)) continue;
    const file = join(own ?? "", name);
    const text = await readBytes(file);
    if (text !== null) protocols.set(basename(name).replace(/\.ya?ml$/u, ""), { text, file, own: true });
  }
  return {
    protocols,
    async templates(names) {
      const bases = [...names].reverse();
      const texts = new Map<string, string>();
      const take = async (folder: string, ends: ".md" | typeof jinja): Promise<void> => {
        for (const name of await list(folder)) {
          const text = name.endsWith(ends) && name !== "README.md" ? await read(join(folder, name)) : null;
          if (text !== null) texts.set(ends === ".md" ? name.slice(0, -3) : name, text);
        }
      };
      for (const name of bases) {
        await take(join(shipped, name, "templates"), ".md");
        await take(join(shipped, name, "templates"), jinja);
      }
      if (root === null) return texts;
      const mine = join(root, ".mettle", "templates");
      await take(mine, ".md");
      for (const name of bases) await take(join(mine, name), jinja);
      return texts;
    },
  };
}

async function list(folder: string): Promise<readonly string[]> {
  // A missing folder is empty.
  return (await readdir(folder).catch(() => [] as string[])).sort();
}

async function readBytes(file: string): Promise<Uint8Array | null> {
  // No such file: this name is not in the library.
  return readFile(file).catch(() => null);
}

async function read(file: string): Promise<string | null> {
  // No such file: this name is not in the library.
  return readFile(file, "utf8").catch(() => null);
}
