/** The protocols that the commands of `mettle protocol` can read, and the error for an unknown name. */
import { environment } from "../../config/env.ts";
import { packageRoot } from "../../config/package-root.ts";
import { openRepository } from "../../git/repository.ts";
import { AppError } from "../../lib/errors.ts";
import { readLibrary, type Library } from "../../engine/start/library.ts";
import type { Io } from "../command.ts";

/** The shipped protocols and those of the current repository, if there is one. */
export async function loadLibrary(io: Io): Promise<Library> {
  const path = environment()["PATH"] ?? "";
  const root = await openRepository(io.cwd, { path }).then(
    (repository) => repository.root,
    () => null,
  );
  return readLibrary({ shipped: packageRoot("protocols"), root });
}

/** @throws protocol_unknown */
export function sourceOf(library: Library, name: string) {
  const source = library.protocols.get(name);
  if (source !== undefined) return source;
  throw new AppError("protocol_unknown", `there is no protocol ${name}`, {
    hint: `known: ${[...library.protocols.keys()].join(", ")}`,
  });
}
