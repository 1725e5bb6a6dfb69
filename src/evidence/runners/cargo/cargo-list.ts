/** Lists the Rust files that hold tests: the targets of `cargo test` and the modules of each target. */
import { posix } from "node:path";
import * as z from "zod";
import { projectPath } from "../../project-path.ts";
import type { Lister, ListOutput } from "../../runner.ts";
import { splitOptions, type OptionTable } from "../options.ts";
import { reportValue } from "../report-json.ts";

const Metadata = z.object({
  packages: z.array(
    z.object({
      name: z.string(),
      /** Feature -> the features that it enables. */
      features: z.record(z.string(), z.array(z.string())),
      targets: z.array(
        z.object({
          kind: z.array(z.string()),
          src_path: z.string(),
          test: z.boolean(),
          doctest: z.boolean(),
          "required-features": z.array(z.string()).optional(),
        }),
      ),
    }),
  ),
});

const metadataOptions: OptionTable = {
  "--manifest-path": true,
  "--features": true,
  "-F": true,
  "--all-features": false,
  "--no-default-features": false,
};

export const cargoLister: Lister = {
  reads: (path) => path.endsWith(".rs"),
  argv: ({ args }) => [
    "metadata",
    "--no-deps",
    "--offline",
    "--format-version=1",
    ...splitOptions(args, metadataOptions).options,
  ],
  parse({ stdout, exitCode, project, texts = new Map(), args = [] }) {
    const parsed = Metadata.safeParse(exitCode === 0 ? reportValue(stdout) : null);
    if (!parsed.success) return null;
    const targets = parsed.data.packages.flatMap((one) => {
      const on = featuresOf(one, args);
      return one.targets.filter(({ "required-features": needed = [] }) =>
        needed.every((name) => on.has(name)),
      );
    });
    const files = targets.flatMap(({ kind, src_path: source, test, doctest }) => {
      const root = projectPath(source, project);
      if (root === null || !(test || doctest)) return [];
      if (kind.includes("test")) return [root];
      const holding = moduleFiles(root, texts).filter((file) => holdsTests(texts.get(file) ?? ""));
      // The root of a library or program represents tests that a macro generates anywhere in it.
      return holding.length === 0 ? [] : [root, ...holding];
    });
    return { files: [...new Set(files)], patterns: [] };
  },
};

/** The features of a package that the command line enables; a target that requires others is not built. */
function featuresOf(
  { name: own, features }: z.infer<typeof Metadata>["packages"][number],
  args: readonly string[],
): ReadonlySet<string> {
  if (args.includes("--all-features")) return new Set(Object.keys(features));
  const given = args.flatMap((word, at) => {
    if (word === "--features" || word === "-F") return [args[at + 1] ?? ""];
    return word.startsWith("--features=") || /^-F./.test(word) ? [word.replace(/^(--features=|-F)/, "")] : [];
  });
  const named = given.flatMap((words) => words.split(/[\s,]+/)).map((word) => word.replace(`${own}/`, ""));
  const open = [...(args.includes("--no-default-features") ? [] : ["default"]), ...named];
  const on = new Set<string>();
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (on.has(name)) continue;
    on.add(name);
    open.push(...(features[name] ?? []));
  }
  return on;
}

/** `#[test]`, `#[tokio::test]`, `#[rstest]`, `#[cfg(test)]`, tests in a macro, and doc examples. */
function holdsTests(text: string): boolean {
  return /#!?\[[^\]\n]*test|\b(?:proptest|quickcheck)!|^\s*(?:\/\/[/!]|\*)\s*(?:```|~~~)/m.test(text);
}

const declared = /(?:#\[path\s*=\s*"([^"\n]+)"\]\s*)?(?:pub(?:\([^)\n]*\))?\s+)?\bmod\s+(?:r#)?(\w+)\s*;/g;

/** A target's root and the existing files of its modules. */
function moduleFiles(root: string, texts: NonNullable<ListOutput["texts"]>): readonly string[] {
  const found = new Set<string>();
  const open = [root];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (found.has(file)) continue;
    found.add(file);
    const folder = posix.dirname(file);
    const isFolder = file === root || posix.basename(file) === "mod.rs";
    const inside = isFolder ? folder : posix.join(folder, posix.basename(file, ".rs"));
    for (const [, path, name = ""] of (texts.get(file) ?? "").matchAll(declared)) {
      const places =
        path === undefined
          ? [posix.join(inside, `${name}.rs`), posix.join(inside, name, "mod.rs")]
          : [posix.join(folder, path)];
      open.push(...places.filter((place) => texts.has(place)));
    }
  }
  return [...found];
}
