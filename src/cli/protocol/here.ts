/** The protocols that a command of `mettle protocol` can see, and what it says of a name that is none. */
import { environment } from "../../config/env.ts";
import { packageRoot } from "../../config/package-root.ts";
import { openRepository } from "../../git/repository.ts";
import { AppError } from "../../lib/errors.ts";
import { readLibrary, type Library } from "../../engine/start/library.ts";
import type { Io } from "../command.ts";

/** The repository's own protocols count too; outside a repository there are only the shipped ones. */
export async function libraryHere(io: Io): Promise<Library> {
  const path = environment()["PATH"] ?? "";
  const root = await openRepository(io.cwd, { path }).then(
    (repository) => repository.root,
    () => null,
  );
  return readLibrary({ shipped: packageRoot("protocols"), root });
}

/** The file of a protocol that must be there. */
export function sourceOf(library: Library, name: string) {
  const source = library.protocols.get(name);
  if (source !== undefined) return source;
  throw new AppError("protocol_unknown", `there is no protocol ${name}`, {
    hint: `known: ${[...library.protocols.keys()].join(", ")}`,
  });
}
