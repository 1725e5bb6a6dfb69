/** Content that a commit only references or stores filtered: submodules, git LFS files, encrypted files. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { filtersAt, isAttributesFile } from "../../git/checkout/filters.ts";
import { fields, tryGit } from "../../git/git.ts";
import { inStore } from "../../git/repository.ts";
import { submoduleMode } from "../../git/objects/tree.ts";
import { mentions, type CheckoutCause, type BaseContext } from "./cause.ts";

export function submodules({ base, output }: BaseContext): readonly CheckoutCause[] {
  return [...base.files.values()]
    .filter(({ mode }) => mode === submoduleMode)
    .map(({ path }) => ({
      what: `${path} is a submodule, and its folder is empty because this repository lacks its commit`,
      help: `\`git submodule update --init ${path}\` fetches it into this repository`,
      isMentioned: mentions(output, path),
    }));
}

const pointer = "version https://git-lfs.github.com/spec/v1";
/** The start of a JSON parser's error at a pointer file. */
const pointerErrors = /git-lfs|version ht/;

export async function largeFiles({
  repository,
  base,
  output,
}: BaseContext): Promise<readonly CheckoutCause[]> {
  const args = ["grep", "--files-with-matches", "-z", "--fixed-strings", "-e", pointer, base.commit];
  const { exitCode, stdout } = await tryGit(inStore(repository), args);
  if (exitCode !== 0) return []; // no file contains it
  const paths = fields(stdout).map((field) => field.slice(field.indexOf(":") + 1));
  const [first] = paths;
  if (first === undefined) return [];
  const named = paths.find((path) => mentions(output, path));
  const others = paths.length === 1 ? "" : ` (and ${paths.length - 1} more)`;
  return [
    {
      what: `${named ?? first}${others} is stored in git LFS, and this repository has only its pointer`,
      help: "`git lfs pull` fetches the files",
      isMentioned: named !== undefined || pointerErrors.test(output),
    },
  ];
}

/** Errors of parsers on binary content. */
const binaryErrors =
  /Invalid or unexpected token|null bytes|Non-UTF-8 code|illegal UTF-8|invalid NUL|NUL character|valid UTF-8|can't decode byte/i;

/** A clean checkout applies none of the user's filters: content encrypted by git-crypt, transcrypt or sops stays encrypted. */
export async function filteredFiles({
  repository,
  base,
  output,
}: BaseContext): Promise<readonly CheckoutCause[]> {
  if (![...base.files.keys()].some(isAttributesFile)) return [];
  const dir = await mkdtemp(join(tmpdir(), "mettle-filters-"));
  try {
    const paths = [...base.files.keys()].map((path) => Buffer.from(path).toString("latin1"));
    const found = [...(await filtersAt(repository, paths, { base: base.commit, hasFiles: true, dir }))]
      .filter(([, filter]) => filter !== "lfs")
      .map(([path, filter]) => [Buffer.from(path, "latin1").toString("utf8"), filter] as const);
    const named = found.find(([path]) => mentions(output, path));
    const [path, filter] = named ?? found[0] ?? [];
    if (path === undefined || filter === undefined) return [];
    const others = found.length === 1 ? "" : ` (and ${found.length - 1} more)`;
    return [
      {
        what: `${path}${others} is stored with the filter ${filter}, and a clean checkout contains the stored form`,
        help: "encrypted content cannot be proved: separate it from the code that tests load, or give the tests an unencrypted substitute",
        isMentioned: named !== undefined || binaryErrors.test(output),
      },
    ];
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
