/** Content that a commit only points to: submodules, and files that git LFS keeps elsewhere. */
import { fields, tryGit } from "../../../git/git.ts";
import { inStore } from "../../../git/repository.ts";
import { submoduleMode } from "../../../git/tree.ts";
import { mentions, type Cause, type Seen } from "./cause.ts";

export function submodules({ base, output }: Seen): readonly Cause[] {
  return [...base.files.values()]
    .filter(({ mode }) => mode === submoduleMode)
    .map(({ path }) => ({
      what: `${path} is a submodule, whose folder is empty where this repository has not its commit`,
      help: `\`git submodule update --init ${path}\` brings them into this repository`,
      isSaid: mentions(output, path),
    }));
}

const pointer = "version https://git-lfs.github.com/spec/v1";
/** How far a parser of JSON comes that is given a pointer. */
const speaksOfPointer = /git-lfs|version ht/;

export async function largeFiles({ repository, base, output }: Seen): Promise<readonly Cause[]> {
  const asked = ["grep", "--files-with-matches", "-z", "--fixed-strings", "-e", pointer, base.commit];
  const { exitCode, stdout } = await tryGit(inStore(repository), asked);
  if (exitCode !== 0) return []; // no file holds it
  const paths = fields(stdout).map((told) => told.slice(told.indexOf(":") + 1));
  const [first] = paths;
  if (first === undefined) return [];
  const named = paths.find((path) => mentions(output, path));
  const others = paths.length === 1 ? "" : ` (and ${paths.length - 1} more)`;
  return [
    {
      what: `${named ?? first}${others} is kept by git LFS, and only its pointer is there where this repository has not its content`,
      help: "`git lfs pull` brings the files",
      isSaid: named !== undefined || speaksOfPointer.test(output),
    },
  ];
}
